/** The parts of the tree with which folders are dragged; fetched once the page is shown. */
export { DraggableFolder } from './DraggableFolder.tsx'
export { DroppableHead } from './DroppableHead.tsx'
export { FolderDragging } from './FolderDragging.tsx'
