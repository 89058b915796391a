import { PlusOutlined } from '@ant-design/icons'
import { useNavigate } from 'react-router'
import { ChangeButton } from '../../components/ChangeButton.tsx'
import { AdvertiserGate } from '../../features/advertiser/AdvertiserGate.tsx'
import { paths } from '../../lib/paths.ts'

/** Opens the editor of a new rule crowd, if the viewer's authority covers it. */
export function NewPackageButton({ dirId }: { dirId: number | undefined }) {
  const navigate = useNavigate()
  return (
    <AdvertiserGate module="组合定向包" authority={{ tab: 1 }} fallback={null}>
      <ChangeButton
        changes="current"
        type="primary"
        icon={<PlusOutlined />}
        onClick={() => navigate(paths.ruleCrowdEdit(0, dirId === undefined ? {} : { dir_id: dirId }))}
      >
        新建组合定向包
      </ChangeButton>
    </AdvertiserGate>
  )
}
