import { OPEN_TREES, PAGE_HOST } from '@vid/runtime'
import type { PageLink } from '../driver/page-link.ts'

type Link = Pick<PageLink, 'send' | 'on'>

/** Passes a page the user-agent shadow tree of one of its elements, which only the debugger can access. */
const openTree = async ({ send }: Link, index: number, objectGroup: string): Promise<void> => {
  const expression = `${PAGE_HOST}.hiddenHost(${index})`
  const { result } = await send('Runtime.evaluate', { expression, objectGroup })
  if (result.objectId === undefined) return
  const { node } = await send('DOM.describeNode', { objectId: result.objectId, depth: 1, pierce: true })
  const tree = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'user-agent')
  if (!tree) return
  const { backendNodeId } = tree
  const { object } = await send('DOM.resolveNode', { backendNodeId, objectGroup })
  // The tree may belong to a frame, and the frame's window has no page host.
  await send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    functionDeclaration: `function () { top.${PAGE_HOST}.addHiddenTree(this) }`,
  })
}

/** Opens user-agent shadow trees when a page requests them. */
export const openHiddenTrees = async (link: Link): Promise<void> => {
  let groups = 0
  const open = async (count: number) => {
    const objectGroup = `vid-trees-${groups++}`
    await Promise.all(Array.from({ length: count }, (_, index) => openTree(link, index, objectGroup)))
    await link.send('Runtime.evaluate', { expression: `${PAGE_HOST}.hiddenTreesAdded()` })
    await link.send('Runtime.releaseObjectGroup', { objectGroup })
  }
  link.on('Runtime.bindingCalled', ({ name, payload }) => {
    // A failure here means that the page is closed, which its failure signal reports.
    if (name === OPEN_TREES) open(Number(payload)).catch(() => undefined)
  })
  await link.send('Runtime.addBinding', { name: OPEN_TREES })
}
