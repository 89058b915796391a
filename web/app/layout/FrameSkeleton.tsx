import { Flex, Skeleton, theme } from 'antd'
import { SIDE_BAR_FOLDED_WIDTH, SIDE_BAR_WIDTH, TOP_BAR_HEIGHT } from '../theme.ts'

/** The frame's shape while the viewer is being fetched. */
export function FrameSkeleton({ isFolded }: { isFolded: boolean }) {
  const { token } = theme.useToken()
  return (
    <div aria-busy="true" style={{ height: '100vh', background: token.colorBgLayout }}>
      <div style={{ height: TOP_BAR_HEIGHT, background: token.colorBgContainer }} />
      <Flex style={{ height: `calc(100% - ${TOP_BAR_HEIGHT}px)` }}>
        <div
          style={{
            width: isFolded ? SIDE_BAR_FOLDED_WIDTH : SIDE_BAR_WIDTH,
            background: token.colorBgContainer,
            padding: isFolded ? 8 : 20,
            boxSizing: 'border-box',
          }}
        >
          <Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} />
        </div>
        <div style={{ flex: 1, padding: 24 }}>
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      </Flex>
    </div>
  )
}
