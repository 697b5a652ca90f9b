import type { CapturePage } from '../page/page.ts'
import type { DecodesPackets } from './packet-show.ts'

/** Names of groups that objects of a page are kept in until they are let go: videos are given screens side by side. */
let groups = 0

/**
 * Gives a video of the page a canvas to show decoded packets on. It lies in the video's own shadow tree, which the
 * debugger reaches and no script of the page: what the page sees of itself stays as it was.
 */
const giveScreen = async (page: CapturePage, id: string): Promise<boolean> => {
  groups += 1
  const objectGroup = `vid-screen-${groups}`
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
  const open = async () => {
    const [objectId, lent] = await Promise.all([shadowOf(JSON.stringify(id)), shadowOf('')])
    if (objectId === undefined || lent === undefined) return false
    const given = await page.send('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: 'function (id, lent) { return __vidHost.giveScreen(id, this, lent) }',
      arguments: [{ value: id }, { objectId: lent }],
      returnByValue: true,
    })
    return given.result.value === true
  }
  const isGiven = await page.alive(open(), 'preparing videos')
  await page.send('Runtime.releaseObjectGroup', { objectGroup })
  return isGiven
}

/** Asks a page, once for each video, whether it can show it by decoding; its video then has a canvas. */
export const decodesHere = (page: CapturePage): DecodesPackets => {
  const asked = new Map<string, Promise<boolean>>()
  const ask: DecodesPackets = async (id, config) =>
    (await page.evaluate(`__vidHost.canDecode(${JSON.stringify(config)})`, 'preparing videos')) === true &&
    giveScreen(page, id)
  return (id, config) => {
    const key = JSON.stringify([id, config])
    const answer = asked.get(key) ?? ask(id, config)
    asked.set(key, answer)
    return answer
  }
}
