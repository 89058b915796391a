import { Alert, Button } from 'antd'
import { AgeNote } from '../../../domain/targeting/AgeNote.tsx'
import type { useTree } from '../use-dictionary.ts'

/** How old the 商圈 are, or that they could not be read; the map can be used all the same. */
export function DistrictsState({ query }: { query: ReturnType<typeof useTree> }) {
  if (query.data) return <AgeNote from={query.data} />
  if (!query.error) return null
  return (
    <Alert
      type="warning"
      showIcon
      title={`商圈加载失败：${query.error.message}。仍可在地图上添加地点。`}
      action={
        <Button size="small" loading={query.isFetching} onClick={() => void query.refetch()}>
          重试
        </Button>
      }
    />
  )
}
