import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

interface LatePart {
  /** The module of a package that imports it. */
  in: string
  /** The import as it is written there. */
  of: string
  /** Our module in `web/antd` that stands there: it fetches the part later, or is what of it this console uses. */
  by: string
}

/**
 * Parts of packages that their own modules import though the first page does not draw them, or works before they are
 * drawn. An import that has moved fails the build, so that the table stays true.
 */
const LATE_PARTS: readonly LatePart[] = [
  // A tree, radio buttons and a search, for the menu in the head of a column.
  { in: 'antd/es/table/hooks/useFilter/index.js', of: './FilterDropdown', by: 'filter-dropdown.tsx' },
  // The pages below a table, with the choice of their size.
  { in: 'antd/es/table/InternalTable.js', of: '../pagination', by: 'pagination.tsx' },
  // A card, a breadcrumb and the box that selects all rows can carry these; ours do not.
  { in: 'antd/es/card/Card.js', of: '../tabs', by: 'tabs.tsx' },
  { in: 'antd/es/breadcrumb/BreadcrumbItem.js', of: '../dropdown/dropdown', by: 'dropdown.tsx' },
  { in: 'antd/es/table/hooks/useSelection.js', of: '../../dropdown', by: 'dropdown.tsx' },
  // Dialogs of `App.useApp().modal`, which open after a click.
  { in: 'antd/es/modal/useModal/HookModal.js', of: '../ConfirmDialog', by: 'confirm-dialog.tsx' },
  { in: 'antd/es/modal/confirm.js', of: './ConfirmDialog', by: 'confirm-dialog.tsx' },
  // Short words and notices, of which most visits see the first after a click.
  { in: 'antd/es/app/App.js', of: '../message/useMessage', by: 'use-message.tsx' },
  { in: 'antd/es/app/App.js', of: '../notification/useNotification', by: 'use-notification.tsx' },
  // Tables whose rows are chosen by radio buttons, or drawn as they are scrolled to.
  { in: 'antd/es/table/hooks/useSelection.js', of: '../../radio', by: 'radio.tsx' },
  { in: 'antd/es/table/InternalTable.js', of: './RcTable/VirtualTable', by: 'virtual-table.tsx' },
  // Not the tree, whose computations a table's selection needs.
  { in: 'antd/es/table/hooks/useSelection.js', of: '@rc-component/tree', by: 'tree-keys.ts' },
  // A button asks a module of the colour picker which colours are bright.
  { in: 'antd/es/color-picker/components/ColorPresets.js', of: '../../collapse', by: 'collapse.tsx' },
  // The contexts of a form are read by every input; not what validates.
  { in: 'antd/es/form/context.js', of: '@rc-component/form', by: 'form-provider.ts' },
  // No table here keeps its head or scroll bar in sight by itself.
  { in: '@rc-component/table/es/Table.js', of: './stickyScrollBar', by: 'nothing.ts' },
  // Rows are chosen by single boxes.
  { in: 'antd/es/table/hooks/useSelection.js', of: '../../checkbox', by: 'checkbox.ts' },
  // A router can be watched by others; ours is not.
  { in: 'react-router/dist/production/lib/router/router.js', of: './instrumentation.js', by: 'instrumentation.ts' },
  // Links can fetch pages ahead where the router makes the document; ours is a plain file.
  { in: 'react-router/dist/production/lib/dom/lib.js', of: './ssr/components.js', by: 'router-document.ts' },
  { in: 'react-router/dist/production/lib/components.js', of: './dom/ssr/components.js', by: 'router-document.ts' },
]

const PACKAGES = '/node_modules/'
const OURS = new URL('../../web/antd/', import.meta.url)

/** Fetches parts of packages after the first page, see LATE_PARTS; a list without its last parts is drawn sooner. */
export function lateParts(): Plugin {
  const found = new Set<LatePart>()
  return {
    name: 'late-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer) {
      const inside = importer?.split(PACKAGES).at(-1)
      const part = LATE_PARTS.find((one) => one.in === inside && one.of === source)
      if (!part) return null
      found.add(part)
      return fileURLToPath(new URL(part.by, OURS))
    },
    buildEnd(error) {
      const missed = LATE_PARTS.filter((part) => !found.has(part))
      if (!error && missed.length > 0)
        this.error(`no longer imported: ${missed.map((part) => `${part.of} in ${part.in}`).join(', ')}`)
    },
  }
}
