export type DrawerTab = 'detail' | 'logs' | 'pushes'
export const isDrawerTab = (value: string | null): value is DrawerTab =>
  value === 'detail' || value === 'logs' || value === 'pushes'
