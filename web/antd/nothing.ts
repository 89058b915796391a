/** Stands for a part that draws nothing here. */
export default () => null
