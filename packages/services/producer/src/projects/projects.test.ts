import { existsSync, readdirSync, watch, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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
  const presence: boolean[] = []
  for (let round = 0; round < 50; round += 1) {
    const sending = send(`owner${round}`)
    let project = await projects.hold(`owner${round}`, digest)
    while (!project) {
      await new Promise(setImmediate)
      project = await projects.hold(`owner${round}`, digest)
    }
    presence.push(existsSync(join(project.folder, 'index.html')))
    await sending
  }
  expect(presence).toEqual(Array(50).fill(true))
})

test('a project is moved away before its files are removed, so that it can be sent again meanwhile', async () => {
  const folder = await makeFolder()
  const projects = await openProjects(folder, limits)
  const project = await projects.receiveHtml('anyone', 'index.html', 'the same text', signal)
  for (let count = 0; count < 1000; count += 1) writeFileSync(join(project.folder, `${count}`), '')
  project.release()
  const events: string[] = []
  const note = (place: string, name: string) => {
    const watcher = watch(place, (_, changed) => void (changed === name && events.push(name)))
    onTestFinished(() => watcher.close())
  }
  note(dirname(project.folder), basename(project.folder))
  note(project.folder, '999')
  await projects.tidy()
  // One change of a folder may be told of more than once.
  await expect.poll(() => [...new Set(events)]).toEqual([basename(project.folder), '999'])
  expect(readdirSync(join(folder, 'incoming'))).toEqual([])
})
