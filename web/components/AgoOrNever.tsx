import { formatAgo, formatTime } from '../lib/format.ts'
import { WholeOnHover } from './WholeOnHover.tsx'

/** How long ago something was, with the time on hover. `at`: epoch seconds; null: never. */
export const AgoOrNever = ({ at }: { at: number | null }) =>
  at ? (
    <WholeOnHover text={formatTime(at)}>
      <span>{formatAgo(at)}</span>
    </WholeOnHover>
  ) : (
    <>从未</>
  )
