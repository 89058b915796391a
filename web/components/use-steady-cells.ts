import type { TableColumnsType } from 'antd'
import { useMemo } from 'react'

/**
 * The columns, each of which draws a row again only when the row or the columns changed. By itself antd's table draws every
 * cell again when a box is ticked. A row's index may not decide what is drawn.
 */
export const useSteadyCells = <Row extends object>(columns: TableColumnsType<Row>): TableColumnsType<Row> =>
  useMemo(
    () =>
      columns.map((column) => {
        const { render } = column
        if (!render) return column
        const drawn = new WeakSet<Row>()
        return {
          ...column,
          render: (value: unknown, row: Row, index: number) => {
            drawn.add(row)
            return render(value, row, index)
          },
          shouldCellUpdate: (row: Row, before: Row) => row !== before || !drawn.has(row),
        }
      }),
    [columns],
  )
