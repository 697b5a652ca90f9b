import type { CapturePage } from '../page/page.ts'
import type { DecodesPackets } from './packet-show.ts'

/**
 * Gives a video of the page an overlay canvas to show decoded packets on. It lies in the video's own shadow tree,
 * which the debugger reaches and no script of the page: what the page sees of itself stays as it was. `objectGroup`
 * names the debugger's references until they are released.
 */
const addOverlayCanvas = async (page: CapturePage, id: string, objectGroup: string): Promise<boolean> => {
  const shadowOf = async (video: string) => {
    const expression = `__vidHost.videoOf(${video})`
    const { result } = await page.send('Runtime.evaluate', { expression, objectGroup })
    if (result.objectId === undefined) return undefined
    const { node } = await page.send('DOM.describeNode', {
      objectId: result.objectId,
      depth: 1,
      pierce: true,
    })
    const inside = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'user-agent')
    if (!inside) return undefined
    const { backendNodeId } = inside
    const { object } = await page.send('DOM.resolveNode', { backendNodeId, objectGroup })
    return object.objectId
  }
  const add = async () => {
    const [objectId, lent] = await Promise.all([shadowOf(JSON.stringify(id)), shadowOf('')])
    if (objectId === undefined || lent === undefined) return false
    const { result } = await page.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function (id, lent) { return __vidHost.giveScreen(id, this, lent) }',
      arguments: [{ value: id }, { objectId: lent }],
      returnByValue: true,
    })
    return result.value === true
  }
  const isAdded = await page.alive(add(), 'preparing videos')
  await page.send('Runtime.releaseObjectGroup', { objectGroup })
  return isAdded
}

/** Asks a page, once for each video, whether it can show it by decoding; its video then has an overlay canvas. */
export const decodesHere = (page: CapturePage): DecodesPackets => {
  const asked = new Map<string, Promise<boolean>>()
  // Videos are prepared side by side: each has a group of references of its own.
  let groups = 0
  const ask: DecodesPackets = async (id, config) => {
    const answer = await page.evaluate(`__vidHost.canDecode(${JSON.stringify(config)})`, 'preparing videos')
    return answer === true && addOverlayCanvas(page, id, `vid-overlay-${groups++}`)
  }
  return (id, config) => {
    const key = JSON.stringify([id, config])
    const answer = asked.get(key) ?? ask(id, config)
    asked.set(key, answer)
    return answer
  }
}
