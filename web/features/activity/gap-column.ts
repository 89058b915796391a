/** Keeps the room of columns that are not drawn. Its key has its width, since antd measures a key's cell once. */
export const gapColumn = ({ at, gap }: { at: number; gap: number }) => ({
  key: `gap-${at}-${gap}`,
  width: gap,
  onHeaderCell: () => ({ 'aria-hidden': true }),
  onCell: () => ({ 'aria-hidden': true }),
})
