// A registry of npm on the loopback that has the packages of this repository, as they are published, and no others.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeRecipe } from '../../../scripts/container/recipe.mjs'
import { stageRelease } from '../../../scripts/release/stage.mjs'

const run = promisify(execFile)

/** Packs every package as it is published; resolves to their manifests with the paths of their tarballs. */
const packAll = async (folder) => {
  const stage = join(folder, 'stage')
  const tarballs = join(folder, 'tarballs')
  mkdirSync(tarballs)
  const { packages } = stageRelease({ stage })
  const container = packages.find(({ folder }) => folder === 'packages/services/container')
  await writeRecipe(join(container.staged, 'recipe'), packages, { isPublished: true })
  const flags = ['--workspaces', '--silent', '--ignore-scripts', '--pack-destination', tarballs]
  await run('npm', ['pack', ...flags], { cwd: stage, maxBuffer: 2 ** 26 })
  const manifests = packages.map(({ staged }) => JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8')))
  rmSync(stage, { recursive: true })
  const files = readdirSync(tarballs)
  return manifests.map((manifest) => {
    const start = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
    const file = files.find((name) => name === start)
    if (!file) throw new Error(`no tarball of ${manifest.name}`)
    return { manifest, file: join(tarballs, file) }
  })
}

/** What npm asks of a registry about a package with one version. */
const packument = ({ manifest, file }, url) => {
  const { name, version } = manifest
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  const dist = { tarball: `${url}/${name}/-/${version}.tgz`, integrity }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } }
}

/** Serves the packages of this repository to npm, packed below a folder; resolves to its address and how to end it. */
export const serveRegistry = async (folder) => {
  const packed = await packAll(folder)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    const entry = packed.find(({ manifest: { name } }) => path === name || path.startsWith(`${name}/-/`))
    if (!entry) return response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    if (path !== entry.manifest.name) return createReadStream(entry.file).pipe(response)
    const { port } = server.address()
    const text = JSON.stringify(packument(entry, `http://127.0.0.1:${port}`))
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
