import { Button, Flex, Skeleton, Table } from 'antd'
import type { CrowdFile } from '#contract/custom-crowd.ts'
import { DateRange } from '../../components/DateRange.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { FilterText } from '../../components/FilterText.tsx'
import { LoadError } from '../../components/LoadError.tsx'
import { paginationOf } from '../../components/table-parts.tsx'
import styles from './custom-crowd.module.css'
import { FILE_COLUMNS } from './file-columns.tsx'
import { type FilesOf, NO_FILTER, useCrowdFiles } from './use-crowd-files.ts'

/** The crowd's files with their line counts, once a file is checked. */
export function CrowdFiles({ of }: { of: FilesOf }) {
  const { files, filter, isFiltered, paged, change, turn } = useCrowdFiles(of)
  return (
    <section aria-label="文件">
      <Flex wrap gap={8} className={styles.filters} role="search" aria-label="筛选文件">
        <FilterText label="文件名" value={filter.name} onChange={(name) => change({ name })} />
        <DateRange label="上传时间" value={filter.op_at} onChange={(op_at) => change({ op_at })} />
      </Flex>
      {files.error && !files.data ? (
        <LoadError error={files.error} onRetry={files.refetch} title="文件列表加载失败" />
      ) : !files.data ? (
        <Skeleton active title={false} paragraph={{ rows: 4, width: '100%' }} />
      ) : (
        <Table<CrowdFile>
          rowKey="id"
          size="small"
          loading={files.isPlaceholderData}
          dataSource={files.data.files}
          scroll={{ x: 800 }}
          locale={{ emptyText: isFiltered ? <NoMatch onClear={() => change(NO_FILTER)} /> : NONE_YET }}
          pagination={paginationOf(paged, files.data.total_files_num, '个')}
          onChange={({ current, pageSize }) => turn(current, pageSize)}
          columns={FILE_COLUMNS}
        />
      )}
    </section>
  )
}

const NONE_YET = <EmptyState title="还没有文件" />
const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState title="没有符合条件的文件" action={<Button onClick={onClear}>清除筛选</Button>} />
)
