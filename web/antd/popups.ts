import { afterPage } from '../components/later.tsx'

/** Fetched once the page is shown, so that the first dialog or popup after a click does not wait for it. */
export const POPUPS = afterPage(() =>
  Promise.all([
    import('antd/es/modal/ConfirmDialog'),
    import('antd/es/message/useMessage'),
    import('antd/es/notification/useNotification'),
  ]),
)
