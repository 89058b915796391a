import { useSearchParams } from 'react-router'
import { listTargetings, moveTargetings, type PackageCode } from '#contract/targeting-package.ts'
import { later } from '../../components/later.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { FolderView } from '../../features/folder/FolderView.tsx'
import { PACKAGE_FILTERS, PackageList } from '../../features/targeting-package/PackageList.tsx'
import { useEdition } from '../../lib/edition.ts'
import { idIn } from '../../lib/id-in.ts'
import { useAction } from '../../lib/query.ts'

const PackageDrawer = later(() =>
  import('../../features/targeting-package/PackageDrawer.tsx').then((file) => file.PackageDrawer),
)

/** A platform's targeting packages by folder. The URL holds which one is open. */
export function PlatformPackages({ platform }: { platform: PackageCode }) {
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const [params, setParams] = useSearchParams()
  const opened = idIn(params.get('package'))
  const open = (id: number | null) =>
    setParams((now) => {
      const next = new URLSearchParams(now)
      if (id === null) next.delete('package')
      else next.set('package', String(id))
      return next
    })
  const move = useAction(moveTargetings, [listTargetings])
  return (
    <>
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
          />
        )}
      </FolderView>
      <PackageDrawer id={opened} onClose={() => open(null)} />
    </>
  )
}
