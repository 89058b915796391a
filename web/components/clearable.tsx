import { CloseCircleFilled } from '@ant-design/icons'

/** `allowClear` of a text field: its button is read out as 清空. */
export const CLEARABLE = { clearIcon: <CloseCircleFilled aria-label="清空" /> }
