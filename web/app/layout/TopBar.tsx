import { UnorderedListOutlined } from '@ant-design/icons'
import { Button, Flex, Layout } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { FieldFace } from '../../components/FieldFace.tsx'
import { FocusKept } from '../../components/FocusKept.tsx'
import { afterPage, useAfterPage } from '../../components/later.tsx'
import { useAdvertiser } from '../../features/advertiser/advertiser-context.tsx'
import taskStyles from '../../features/task/task.module.css'
import { ViewerFace } from '../../features/viewer/ViewerFace.tsx'
import { useEdition } from '../../lib/edition.ts'
import { paths } from '../../lib/paths.ts'
import { SearchBox } from './SearchBox.tsx'
import styles from './TopBar.module.css'

const SWITCH = afterPage(() => import('../../features/advertiser/AdvertiserSwitch.tsx'))
const TRAY = afterPage(() => import('../../features/task/TaskTray.tsx'))
const MENU = afterPage(() => import('../../features/viewer/ViewerMenu.tsx'))

export function TopBar() {
  const { isSaas } = useEdition()
  return (
    <Layout.Header className={styles.bar}>
      <Link to={paths.home()} aria-label="人群，返回首页" className={styles.brand}>
        <Flex align="center" gap={10} className={styles.mark}>
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <span>人群</span>
        </Flex>
      </Link>
      {isSaas && (
        <div className={styles.advertiser}>
          <Advertiser />
        </div>
      )}
      <Flex align="center" gap={8} className={styles.tools}>
        <SearchBox />
        <Tasks />
        <Viewer />
      </Flex>
    </Layout.Header>
  )
}

/** The current advertiser; another one can be chosen once the page is shown. */
function Advertiser() {
  const { advertiser } = useAdvertiser()
  const loaded = useAfterPage(SWITCH)
  if (loaded) return <loaded.AdvertiserSwitch />
  return advertiser && <FieldFace isChoice isValue text={advertiser.name} className={styles.advertiserFace} />
}

/** The tasks are asked for once the page is shown. A click before that opens them then. */
function Tasks() {
  const loaded = useAfterPage(TRAY)
  const [isAsked, setAsked] = useState(false)
  return (
    <FocusKept part={loaded}>
      {loaded ? (
        <loaded.TaskTray startsOpen={isAsked} />
      ) : (
        <Button
          aria-hidden
          tabIndex={-1}
          type="text"
          icon={<UnorderedListOutlined />}
          className={taskStyles.button}
          onClick={() => setAsked(true)}
        />
      )}
    </FocusKept>
  )
}

function Viewer() {
  const loaded = useAfterPage(MENU)
  const [isAsked, setAsked] = useState(false)
  return (
    <FocusKept part={loaded}>
      {loaded ? <loaded.ViewerMenu startsOpen={isAsked} /> : <ViewerFace onClick={() => setAsked(true)} />}
    </FocusKept>
  )
}
