import { Button, Drawer } from 'antd'
import { Link } from 'react-router'
import { DEFAULT_FOLDER } from '#contract/folder.ts'
import { LeavePart, useLeavingPart } from '../../components/use-leave-guard.ts'
import type { MadeCrowd } from '../../features/activity/workbench/new-crowd.ts'
import { RuleEditor } from '../../features/rule-editor/RuleEditor.tsx'
import { embedding } from '../../lib/embedding.ts'
import { paths } from '../../lib/paths.ts'
import { saved } from '../../lib/saved-context.ts'

/** The rule editor over the workbench, as its entry: with history crowds and the clear button. */
export function NewCrowdDrawer(props: { advId: number; onSaved: (crowd: MadeCrowd) => void; onClose: () => void }) {
  const { advId, onSaved, onClose } = props
  const { part, leaving } = useLeavingPart()
  const askClose = () => leaving(onClose)
  return (
    <Drawer open size="min(1440px, 96%)" title="新建组合定向包" onClose={askClose}>
      <LeavePart value={part}>
        <RuleEditor
          crowd={null}
          advId={advId}
          advName={null}
          dirId={saved.peopleTreeId.get() || DEFAULT_FOLDER}
          entry="workbench"
          crumbs={null}
          host={{ onSaved: ({ id, name }) => onSaved({ id, name }), onCancel: askClose }}
          emptyAction={
            embedding() ? null : (
              <Link to={paths.dataAccess()}>
                <Button type="primary">去接入数据</Button>
              </Link>
            )
          }
        />
      </LeavePart>
    </Drawer>
  )
}
