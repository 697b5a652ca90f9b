import { defaultTreeAdapter as adapter, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { descendants } from '../source/tree.ts'
import { textOf } from './nested-file.ts'
import { type Rewrite, rewriteAttributes, rewriteCssUrls } from './rewrite-paths.ts'

/** Rewrites every reference below a node, in attributes and in style sheets, which stay in their place. */
export const rewriteReferences = (tree: Tree.ParentNode, rewrite: Rewrite): void => {
  for (const element of descendants(tree)) {
    rewriteAttributes(element, rewrite)
    if (element.tagName !== 'style') continue
    const { text } = textOf(element)
    for (const node of [...element.childNodes]) adapter.detachNode(node)
    adapter.insertText(element, rewriteCssUrls(text, rewrite))
  }
}
