import { Result } from 'antd'

export type FrameEnding = 'saved' | 'cancelled'

/** What is left of a page in a frame once the site around it was told of its end: nothing that could be saved later. */
export const FrameEnd = ({ ending, saved }: { ending: FrameEnding; saved: string }) =>
  ending === 'saved' ? <Result status="success" title={saved} /> : <Result status="info" title="已关闭" />
