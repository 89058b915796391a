import { UploadOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import {
  type CustomCrowd,
  listCustomCrowds,
  listDeletedCustomCrowds,
  moveCustomCrowds,
  undeleteCustomCrowds,
} from '#contract/custom-crowd.ts'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { LinkButton } from '../../components/LinkButton.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { DeletedButton } from '../../domain/crowd/DeletedButton.tsx'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { FirstAccountNotice } from '../../features/advertiser/FirstAccountNotice.tsx'
import { CrowdDrawer, isDrawerTab } from '../../features/custom-crowd/CrowdDrawer.tsx'
import { CUSTOM_FILTERS, CustomList } from '../../features/custom-crowd/CustomList.tsx'
import { FolderView } from '../../features/folder/FolderView.tsx'
import { PushDialog } from '../../features/push/PushDialog.tsx'
import { PushRecords } from '../../features/push/PushRecords.tsx'
import { useEdition } from '../../lib/edition.ts'
import { idIn } from '../../lib/id-in.ts'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'

const MODULE = '自定义人群'
const AUTHORITY = { tab: 1 } as const

/** 自定义人群: the uploaded crowds by folder, with their audiences on the platforms. The URL holds the view. */
export default function CustomCrowdPage() {
  const { advId } = useAdvertiser()
  const [params] = useSearchParams()
  const folder = Number(params.get('dir_id')) || (saved.customCrowdTreeId.get() ?? DEFAULT_FOLDER)
  return (
    <>
      <PageHeader
        crumbs={[{ title: '人群管理' }]}
        title={MODULE}
        action={
          <AdvertiserGate module={MODULE} authority={AUTHORITY} fallback={null}>
            <DeletedButton
              noun="自定义人群"
              unit="标识数"
              list={listDeletedCustomCrowds}
              restore={undeleteCustomCrowds}
              stale={[listCustomCrowds]}
            />
            <UploadButton dirId={folder} advId={advId} />
          </AdvertiserGate>
        }
      />
      <AdvertiserGate module={MODULE} authority={AUTHORITY}>
        <FirstAccountNotice />
        <Crowds />
      </AdvertiserGate>
    </>
  )
}

const UploadButton = ({ dirId, advId }: { dirId: number; advId: number | undefined }) => (
  <LinkButton primary icon={<UploadOutlined />} to={paths.customCrowdUpload(dirId, advId)}>
    文件上传
  </LinkButton>
)

function Crowds() {
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const [params, setParams] = useSearchParams()
  const [pushing, setPushing] = useState<{ crowd: CustomCrowd; preset: PushPreset | null } | null>(null)
  const move = useAction(moveCustomCrowds, [listCustomCrowds])

  const setView = (view: { crowd: number | null; child?: number | null; panel?: string | null }, replace = false) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now)
        for (const [name, value] of Object.entries(view)) {
          if (value === null) next.delete(name)
          else next.set(name, String(value))
        }
        return next
      },
      { replace },
    )
  const crowdId = idIn(params.get('crowd'))
  const childId = idIn(params.get('child'))
  const panel = params.get('panel')

  return (
    <>
      <FolderView
        kind="custom"
        filters={CUSTOM_FILTERS}
        noun="人群"
        move={(id, dir_id) => move.mutateAsync({ body: { id, dir_id } })}
        isMoving={move.isPending}
      >
        {(view) => (
          <CustomList
            {...view}
            advertisers={isSaas ? advertisers : null}
            uploadButton={<UploadButton dirId={view.state.dir_id} advId={advId} />}
            onView={(crowd, child) => setView({ crowd: crowd.id, child: child?.id ?? null, panel: null })}
            onPush={(crowd, preset) => setPushing({ crowd, preset })}
          />
        )}
      </FolderView>
      <CrowdDrawer
        crowdId={crowdId}
        childId={childId}
        tab={isDrawerTab(panel) ? panel : 'detail'}
        onTab={(tab) => setView({ crowd: crowdId, panel: tab === 'detail' ? null : tab }, true)}
        onClose={() => setView({ crowd: null, child: null, panel: null })}
        onPush={(crowd, preset) => setPushing({ crowd, preset })}
        pushes={(crowd, child) => (
          <PushRecords
            kind="custom"
            id={crowd.id}
            childId={child?.id ?? null}
            onPush={(preset) => setPushing({ crowd, preset })}
          />
        )}
      />
      {pushing && (
        <PushDialog
          pushed={{ ...pushing.crowd, kind: 'custom', platforms: pushing.crowd.cnt_type }}
          preset={pushing.preset}
          onDone={() => setPushing(null)}
          onCancel={() => setPushing(null)}
        />
      )}
    </>
  )
}
