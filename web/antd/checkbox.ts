export { default } from 'antd/es/checkbox/Checkbox'
