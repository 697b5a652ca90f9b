import { processesBelow } from '@vid/system'
import { expect, test } from 'vitest'
import { contextOf, inputOf, openBucket, openFunction, planOnly, putSite, runWorkflow } from './fixtures/function.ts'

/**
 * A page that stores its word wherever a browser lets it, and is 0.3 seconds long. It is 0.5 seconds long when it finds
 * another word there, and 0.7 when it does not find its own.
 */
const leavingPage = (word: string): string => `<!doctype html>
<body style="margin:0"><div data-composition-id="main" data-width="64" data-height="32"
style="width:64px;height:32px;background:teal"></div><script>
const own = '${word}'
const request = (asked) => new Promise((resolve, reject) => { asked.onsuccess = () => resolve(asked.result); asked.onerror = reject })
const openStore = () => {
  const opening = indexedDB.open('words')
  opening.onupgradeneeded = () => opening.result.createObjectStore('words')
  return request(opening)
}
const words = async () => {
  const cookies = document.cookie.split('; ').filter(Boolean).map((text) => text.split('=')[1])
  const stored = await request((await openStore()).transaction('words').objectStore('words').getAllKeys())
  const folder = await navigator.storage.getDirectory()
  const files = []
  for await (const name of folder.keys()) if (name.startsWith('word-')) files.push(name.slice(5))
  return [cookies, [localStorage.word], [sessionStorage.word], [window.name], stored, await caches.keys(), files]
    .map((found) => found.filter(Boolean))
}
const leave = async () => {
  document.cookie = 'word=' + own
  document.cookie = 'all=' + own + '; domain=localhost'
  localStorage.word = sessionStorage.word = window.name = own
  await caches.open(own)
  const store = await openStore()
  await request(store.transaction('words', 'readwrite').objectStore('words').put(1, own))
  await (await navigator.storage.getDirectory()).getFileHandle('word-' + own, { create: true })
}
const look = async () => {
  const before = (await words()).flat()
  await leave()
  const isLeft = (await words()).every((found) => found.includes(own))
  const seconds = before.some((word) => word !== own) ? 0.5 : isLeft ? 0.3 : 0.7
  window.__timelines = { main: { duration: () => seconds, seek() {} } }
}
__vid.waitUntil(look())
</script></body>`

/** Browsers that this process has started, by their ids: it runs nothing but this file. */
const browsers = async (): Promise<readonly number[]> => {
  const all = await processesBelow(process.pid)
  return all.filter(({ parent }) => parent === process.pid).map(({ pid }) => pid)
}

test('a render in a browser that rendered something else sees nothing of it', async () => {
  const bucket = await openBucket()
  const { handler } = await openFunction()
  const browserLists = []
  for (const word of ['one', 'two']) {
    const { siteId } = await putSite(bucket, { 'index.html': leavingPage(word) })
    const { result } = await runWorkflow(inputOf(siteId, { reuse: false }), handler)
    expect(result.frames).toBe(9)
    browserLists.push(await browsers())
  }
  expect(browserLists[0]).toHaveLength(1)
  expect(browserLists[1]).toEqual(browserLists[0])
})

test('a browser that ends between two calls is replaced, and one whose call failed is closed', async () => {
  const bucket = await openBucket()
  const { siteId } = await putSite(bucket, { 'index.html': leavingPage('one') })
  const { handler } = await openFunction()
  const input = { reuse: false } as const
  const { result } = await runWorkflow(inputOf(siteId, input), handler)
  const [killed = Number.NaN] = await browsers()
  process.kill(killed, 'SIGKILL')
  const again = await runWorkflow(inputOf(siteId, input), handler)
  expect(again.result.sha256).toBe(result.sha256)
  expect(await browsers()).toHaveLength(1)
  expect(await browsers()).not.toContain(killed)
  const { event } = await planOnly(inputOf(siteId), handler)
  const failing = handler({ ...event, chunk: 7 }, contextOf())
  await expect(failing).rejects.toMatchObject({ name: 'VID_LAMBDA_EVENT' })
  expect(await browsers()).toEqual([])
})
