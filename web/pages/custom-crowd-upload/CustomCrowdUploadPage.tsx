import { Skeleton } from 'antd'
import { useNavigate, useSearchParams } from 'react-router'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { useAdvertiserOf } from '../../domain/advertiser/use-advertiser-options.ts'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import { Unauthorised } from '../../features/advertiser/Unauthorised.tsx'
import { CreateForm } from '../../features/upload/CreateForm.tsx'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'

const crumbs = [{ title: '人群管理' }, { title: '自定义人群', to: paths.customCrowdList() }]

/** A new crowd from files; the query says where it goes and whose it is. */
export default function CustomCrowdUploadPage() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const { isSaas } = useEdition()
  const { advertisers, advId } = useAdvertiser()
  const asked = search.has('adv_id') ? Number(search.get('adv_id')) : advId
  const { advertiser, isLoading } = useAdvertiserOf(advertisers, asked)
  return (
    <>
      <PageHeader crumbs={crumbs} title="文件上传" />
      {isLoading ? (
        <Skeleton active />
      ) : advertiser ? (
        <CreateForm
          advId={advertiser.id}
          dirId={Number(search.get('dir_id')) || DEFAULT_FOLDER}
          advertisers={isSaas ? advertisers : null}
          onDone={(dirId) => navigate(paths.customCrowdList(dirId))}
          onCancel={() => navigate(paths.customCrowdList())}
        />
      ) : (
        <Unauthorised module="自定义人群" />
      )}
    </>
  )
}
