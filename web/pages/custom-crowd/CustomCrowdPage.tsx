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
import { later } from '../../components/later.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { DeletedButton } from '../../domain/crowd/DeletedButton.tsx'
import { advertiserListedAt } from '../../domain/crowd/filters.tsx'
import type { PushPreset } from '../../domain/platform/push-preset.ts'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { FirstAccountNotice } from '../../features/advertiser/FirstAccountNotice.tsx'
import { useOtherAdvertiser } from '../../features/advertiser/use-other-advertiser.ts'
import { CUSTOM_FILTERS, CustomList } from '../../features/custom-crowd/CustomList.tsx'
import { type DrawerTab, isDrawerTab } from '../../features/custom-crowd/drawer-tab.ts'
import { FolderView } from '../../features/folder/FolderView.tsx'
import { withoutDrawerLists } from '../../lib/drawer-list.ts'
import { useEdition } from '../../lib/edition.ts'
import { idIn } from '../../lib/id-in.ts'
import { paths } from '../../lib/paths.ts'
import { useAction } from '../../lib/query.ts'
import { saved } from '../../lib/saved-context.ts'
import { withParams } from '../../lib/with-params.ts'

const PushDialog = later(() => import('../../features/push/PushDialog.tsx').then((file) => file.PushDialog))
const PushRecords = later(() => import('../../features/push/PushRecords.tsx').then((file) => file.PushRecords))
const CrowdDrawer = later(() => import('../../features/custom-crowd/CrowdDrawer.tsx').then((file) => file.CrowdDrawer))

const MODULE = '自定义人群'
const AUTHORITY = { tab: 1 } as const

/** 自定义人群: the uploaded crowds by folder, with their audiences on the platforms. The URL holds the view. */
export default function CustomCrowdPage() {
  const { advId, advertisers } = useAdvertiser()
  const [params] = useSearchParams()
  const folder = Number(params.get('dir_id')) || saved.customCrowdTreeId.get() || DEFAULT_FOLDER
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
              advId={advertiserListedAt(params, advId)}
              advertisers={advertisers}
            />
            <UploadButton dirId={folder} advId={advId} />
          </AdvertiserGate>
        }
      />
      <AdvertiserGate module={MODULE} authority={AUTHORITY}>
        <FirstAccountNotice>
          <Crowds />
        </FirstAccountNotice>
      </AdvertiserGate>
    </>
  )
}

const UploadButton = ({ dirId, advId }: { dirId: number; advId: number | undefined }) => (
  <LinkButton primary changes={advId ?? 'current'} icon={<UploadOutlined />} to={paths.customCrowdUpload(dirId, advId)}>
    文件上传
  </LinkButton>
)

function Crowds() {
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const otherThan = useOtherAdvertiser()
  const [params, setParams] = useSearchParams()
  const [pushing, setPushing] = useState<{ crowd: CustomCrowd; preset: PushPreset | null } | null>(null)
  const move = useAction(moveCustomCrowds, [listCustomCrowds])

  // Opened and closed a drawer forgets what its lists showed.
  const openDrawer = (crowd: number | null, child: number | null) =>
    setParams((now) => withParams(withoutDrawerLists(now), { crowd, child, panel: null }))
  const turnTo = (panel: DrawerTab) =>
    setParams((now) => withParams(now, { panel: panel === 'detail' ? null : panel }), { replace: true })
  const crowdId = idIn(params.get('crowd'))
  // Closed it stays mounted, so that it can slide out.
  const [wasOpened, setWasOpened] = useState(false)
  if (crowdId !== null && !wasOpened) setWasOpened(true)
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
            advId={advId}
            uploadButton={<UploadButton dirId={view.state.dir_id || DEFAULT_FOLDER} advId={advId} />}
            onView={(crowd, child) => openDrawer(crowd.id, child?.id ?? null)}
            onPush={(crowd, preset) => setPushing({ crowd, preset })}
          />
        )}
      </FolderView>
      {wasOpened && (
        <CrowdDrawer
          crowdId={crowdId}
          childId={childId}
          tab={isDrawerTab(panel) ? panel : 'detail'}
          onTab={turnTo}
          onClose={() => openDrawer(null, null)}
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
      )}
      {pushing && (
        <PushDialog
          pushed={{ ...pushing.crowd, kind: 'custom', platforms: pushing.crowd.cnt_type }}
          preset={pushing.preset}
          otherAdvertiser={otherThan(pushing.crowd.adv_id)}
          onDone={() => setPushing(null)}
          onCancel={() => setPushing(null)}
        />
      )}
    </>
  )
}
