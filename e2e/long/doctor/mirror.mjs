import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'

const INDEX = '/mirror/latest-versions-per-milestone-with-downloads.json'

/** Serves a copy of Chrome for Testing that has one browser, of Linux. */
export const serveMirror = async (zipFile, version) => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(zipFile), hash)
  const platform = 'linux64'
  const zipPath = `/${version}/${platform}/chrome-headless-shell-${platform}.zip`
  const url = `https://storage.googleapis.com/chrome-for-testing-public${zipPath}`
  const downloads = { 'chrome-headless-shell': [{ platform, url, sha256: hash.digest('hex') }] }
  const [milestone] = version.split('.')
  const index = JSON.stringify({ milestones: { [milestone]: { milestone, version, downloads } } })
  const server = createServer((request, response) => {
    if (request.url === INDEX) return response.end(index)
    if (request.url !== `/mirror${zipPath}`) return response.writeHead(404).end()
    response.writeHead(200, { 'content-length': statSync(zipFile).size })
    createReadStream(zipFile).pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}/mirror`, close: () => server.close() }
}
