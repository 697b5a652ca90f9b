import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeProject, openSession, pageOf, take } from '../fixtures/session.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" /></svg>'

const page = (remote: string) =>
  pageOf(`<link rel="stylesheet" href="style.css">
<img src="a%20mark.svg"><img src="gone.svg"><img src="${remote}/far.svg">
<video src="gone.mp4" data-start="0" data-duration="1" muted></video>`)

const serve = async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml' })
    response.end(SVG)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a session lists every file that its page was drawn from, also missing ones', async () => {
  const host = await serve()
  const html = page(`http://${host}`)
  const projectDir = await makeProject({ 'index.html': html, 'style.css': 'p { top: 0 }', 'a mark.svg': SVG })
  const { session } = await openSession(html, { projectDir, privateHosts: [host] })
  await take(session, 0, 2)
  const inputs = (await session.inputs?.()) ?? []
  expect(inputs).toEqual([
    { source: 'a mark.svg', digest: sha256(SVG) },
    { source: 'gone.mp4', digest: null },
    { source: 'gone.svg', digest: null },
    { source: `http://${host}/far.svg`, digest: sha256(SVG) },
    { source: 'style.css', digest: sha256('p { top: 0 }') },
    { source: 'vid:composition', digest: sha256(html) },
  ])
})

test('a file that changes during the session gets an input that never matches again', async () => {
  const html = pageOf('<img src="mark.svg">')
  const projectDir = await makeProject({ 'index.html': html, 'mark.svg': SVG })
  const { session } = await openSession(html, { projectDir })
  await take(session, 10, 1)
  await writeFile(join(projectDir, 'mark.svg'), SVG.replace('1 1', '2 2'))
  // A page that has passed the frame is opened anew.
  await take(session, 0, 1)
  expect(await session.inputs?.()).toContainEqual({ source: 'mark.svg', digest: 'changed' })
})
