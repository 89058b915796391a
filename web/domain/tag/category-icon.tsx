import {
  AimOutlined,
  AppstoreOutlined,
  BankOutlined,
  BellOutlined,
  BranchesOutlined,
  CalendarOutlined,
  ClockCircleOutlined,
  CoffeeOutlined,
  CompassOutlined,
  CrownOutlined,
  EnvironmentOutlined,
  EyeOutlined,
  FormOutlined,
  GiftOutlined,
  HistoryOutlined,
  LaptopOutlined,
  LayoutOutlined,
  LoginOutlined,
  MobileOutlined,
  NotificationOutlined,
  PictureOutlined,
  ReadOutlined,
  RocketOutlined,
  ScanOutlined,
  ShareAltOutlined,
  ShoppingCartOutlined,
  TagOutlined,
  TagsOutlined,
  TeamOutlined,
  ToolOutlined,
  TrophyOutlined,
  UserSwitchOutlined,
  WalletOutlined,
  WechatOutlined,
} from '@ant-design/icons'
import type { ComponentType } from 'react'
import type { CategoryIcon as IconKey } from '#contract/tag.ts'
import styles from './category-icon.module.css'

const PICTURES: Record<IconKey, ComponentType> = {
  all: TeamOutlined,
  city_level: BankOutlined,
  lifestyle: CoffeeOutlined,
  age: CalendarOutlined,
  os: LaptopOutlined,
  channel: BranchesOutlined,
  ad_format: PictureOutlined,
  app: AppstoreOutlined,
  launch_time: RocketOutlined,
  province: EnvironmentOutlined,
  model: MobileOutlined,
  device_price: TagOutlined,
  vip: CrownOutlined,
  routine: ClockCircleOutlined,
  places: CompassOutlined,
  manufacturer: ToolOutlined,
  gender: UserSwitchOutlined,
  media: NotificationOutlined,
  exposure: EyeOutlined,
  click: AimOutlined,
  visit: LoginOutlined,
  pay: WalletOutlined,
  share: ShareAltOutlined,
  order: ShoppingCartOutlined,
  browse: ReadOutlined,
  landing: LayoutOutlined,
  follow: WechatOutlined,
  scan: ScanOutlined,
  form: FormOutlined,
  lottery: GiftOutlined,
  winner: TrophyOutlined,
  subscribe: BellOutlined,
  other: TagsOutlined,
}

const isKey = (icon: string): icon is IconKey => icon in PICTURES

/** The icon of a tag's category; `crowd` for a history crowd. */
export function CategoryIcon({ icon, className = '' }: { icon: string; className?: string | undefined }) {
  const Picture = icon === 'crowd' ? HistoryOutlined : PICTURES[isKey(icon) ? icon : 'other']
  return (
    <span aria-hidden className={`${styles.icon} ${className}`}>
      <Picture />
    </span>
  )
}
