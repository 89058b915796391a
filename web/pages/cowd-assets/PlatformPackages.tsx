import { Alert } from 'antd'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import type { PackageCode } from '#contract/targeting/package-codes.ts'
import { listTargetings, moveTargetings, type TargetingPackage } from '#contract/targeting-package.ts'
import { later } from '../../components/later.tsx'
import type { Start } from '../../domain/targeting/ticket.ts'
import { useMakingRefusal } from '../../domain/targeting/use-making-refusal.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { FolderView } from '../../features/folder/FolderView.tsx'
import { type Compared, comparedIn, comparedText } from '../../features/targeting-package/compared.ts'
import { PACKAGE_FILTERS, PackageList } from '../../features/targeting-package/PackageList.tsx'
import { useEdition } from '../../lib/edition.ts'
import { idIn } from '../../lib/id-in.ts'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'

const PackageDrawer = later(() =>
  import('../../features/targeting-package/PackageDrawer.tsx').then((file) => file.PackageDrawer),
)
const CompareDrawer = later(() =>
  import('../../features/targeting-package/CompareDrawer.tsx').then((file) => file.CompareDrawer),
)
const TemplatesDrawer = later(() =>
  import('../../features/targeting-package/TemplatesDrawer.tsx').then((file) => file.TemplatesDrawer),
)
const NewPackageDialog = later(() =>
  import('../../domain/targeting/NewPackageDialog.tsx').then((file) => file.NewPackageDialog),
)

/** A platform's targeting packages by folder. The URL holds which one is open, and whether a new one is asked for. */
export function PlatformPackages({ platform }: { platform: PackageCode }) {
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  const [copied, setCopied] = useState<TargetingPackage | null>(null)
  const [from, setFrom] = useState<{ start: Start; type: string | null } | null>(null)
  const opened = idIn(params.get('package'))
  const set = (values: { [Name in 'package' | 'new' | 'account_id' | 'compare' | 'templates']?: string | null }) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      for (const [name, value] of Object.entries(values))
        if (value === null) next.delete(name)
        else next.set(name, value)
      return next
    })
  const open = (id: number | null) => set({ package: id === null ? null : String(id) })
  const compared = comparedIn(params.get('compare'))
  const compare = (pair: readonly [Compared, Compared]) => set({ compare: comparedText(pair) })
  const move = useAction(moveTargetings, [listTargetings])
  const isNew = params.get('new') === '1'
  // Another page asks for a package of this account: its advertiser need not be the one in the top bar.
  const account = isNew ? idIn(params.get('account_id')) : null
  const owner = copied?.adv_id ?? (account === null ? null : idIn(params.get('adv_id'))) ?? advId
  const refusal = useMakingRefusal()(owner)
  const close = () => {
    setCopied(null)
    setFrom(null)
    set({ new: null, account_id: null })
  }
  return (
    <>
      {isNew && refusal !== null && (
        <Alert
          type="warning"
          showIcon
          closable={{ onClose: close, 'aria-label': '关闭提示' }}
          title={`不能在这里新建：${refusal}`}
        />
      )}
      <FolderView
        kind="asset"
        filters={PACKAGE_FILTERS}
        noun="定向包"
        move={(id, dir_id) => move.mutateAsync({ body: { id, dir_id } })}
        isMoving={move.isPending}
      >
        {(view) => (
          <PackageList
            {...view}
            platform={platform}
            advertisers={isSaas ? advertisers : null}
            advId={advId}
            onOpen={(row) => open(row.id)}
            onNew={() => set({ new: '1' })}
            onCopy={setCopied}
            onCompare={(left, right) =>
              compare([
                { id: left, ver: null },
                { id: right, ver: null },
              ])
            }
            onTemplates={() => set({ templates: '1' })}
          />
        )}
      </FolderView>
      <PackageDrawer
        id={opened}
        onClose={() => open(null)}
        onCompare={(ver) =>
          opened !== null &&
          compare([
            { id: opened, ver },
            { id: opened, ver: null },
          ])
        }
      />
      {compared && <CompareDrawer pair={compared} onChange={compare} onClose={() => set({ compare: null })} />}
      <TemplatesDrawer
        isOpen={params.get('templates') === '1'}
        platform={platform}
        advId={isSaas ? advId : undefined}
        onClose={() => set({ templates: null })}
        onUse={(start, type) => {
          setFrom({ start, type })
          set({ templates: null, new: '1' })
        }}
      />
      {(isNew || copied) && refusal === null && (
        <NewPackageDialog
          platform={platform}
          advId={owner}
          // A copy loses its folder with its name and its type.
          dirId={copied ? null : Number(params.get('dir_id')) || DEFAULT_FOLDER}
          {...(copied && { copied })}
          {...(from && { from })}
          accountId={account}
          onCancel={close}
          onDone={(ticket) =>
            navigate(
              copied
                ? paths.targetingEdit(platform, copied.id, { mode: 'copy', ticket })
                : paths.targetingEdit(platform, 0, { ticket }),
            )
          }
        />
      )}
    </>
  )
}
