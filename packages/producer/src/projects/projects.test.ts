import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../fixtures/producer.ts'
import { openProjects } from './projects.ts'

const limits = {
  projectTtlMs: 1,
  projectBytes: 0,
  heldProjectBytes: 2 ** 20,
  unpackedBytes: 2 ** 20,
  unpackedFiles: 10,
}
const { signal } = new AbortController()

test('a project is known only once its files are there', async () => {
  const projects = await openProjects(await makeFolder(), limits)
  const send = (owner: string) => projects.receiveHtml(owner, 'index.html', 'the same text', signal)
  const { digest } = await send('first')
  const seen: boolean[] = []
  for (let round = 0; round < 50; round += 1) {
    const sending = send(`owner${round}`)
    let held = await projects.hold(`owner${round}`, digest)
    while (!held) {
      await new Promise(setImmediate)
      held = await projects.hold(`owner${round}`, digest)
    }
    seen.push(existsSync(join(held.folder, 'index.html')))
    await sending
  }
  expect(seen).toEqual(Array(50).fill(true))
})

test('a project is moved away before its files are removed, so that it can be sent again meanwhile', async () => {
  const folder = await makeFolder()
  const projects = await openProjects(folder, limits)
  const held = await projects.receiveHtml('anyone', 'index.html', 'the same text', signal)
  for (let each = 0; each < 1000; each += 1) writeFileSync(join(held.folder, `${each}`), '')
  held.release()
  const tidying = projects.tidy()
  while (existsSync(held.folder)) await new Promise(setImmediate)
  expect(readdirSync(join(folder, 'incoming'))).toHaveLength(1)
  await tidying
  expect(readdirSync(join(folder, 'incoming'))).toEqual([])
})
