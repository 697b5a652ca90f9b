import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../fixtures/producer.ts'
import { openProjects } from './projects.ts'

const limits = {
  ...{ projectTtlMs: 3_600_000, projectBytes: 0, heldProjectBytes: 2 ** 20 },
  ...{ unpackedBytes: 2 ** 20, unpackedFiles: 10 },
}
const { signal } = new AbortController()

test('a project that is sent several times at once is there for each of its senders', async () => {
  const folder = await makeFolder()
  const projects = await openProjects(folder, limits)
  const send = async () => {
    const held = await projects.receiveHtml('anyone', 'index.html', 'the same text', signal)
    return existsSync(join(held.folder, 'index.html'))
  }
  expect(await Promise.all(Array.from({ length: 20 }, send))).toEqual(Array(20).fill(true))
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

test('a project that is sent again while it is forgotten stays', async () => {
  const folder = await makeFolder()
  const projects = await openProjects(folder, limits)
  const send = () => projects.receiveHtml('anyone', 'index.html', 'the same text', signal)
  for (let round = 0; round < 20; round += 1) {
    const first = await send()
    first.release()
    const [again] = await Promise.all([send(), projects.tidy()])
    expect(existsSync(join(again.folder, 'index.html'))).toBe(true)
    again.release()
  }
})
