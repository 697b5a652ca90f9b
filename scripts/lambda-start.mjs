// Measures the function as Lambda starts it, from its package, in fresh processes of Node 22: sizes, time to the first frame,
// memory. It needs an S3 server: node scripts/s3-server.mjs npm run lambda-start
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { buildFunctionPackage } from '@vid/lambda'
import { readManifest, writeProjectZip } from '@vid/project'
import { open } from 'yauzl'
import { node22 } from './aws/node22.mjs'
import { memoryOf } from './lambda-start/processes.mjs'

const { values: flags } = parseArgs({
  options: {
    cwd: { type: 'string' },
    composition: { type: 'string', default: 'bench/compositions/full-motion' },
    frames: { type: 'string', default: '120' },
    memory: { type: 'string', default: '10240' },
    help: { type: 'boolean', default: false },
  },
})
const { VID_S3_ENDPOINT: endpoint, VID_S3_ACCESS_KEY = '', VID_S3_SECRET_KEY = '' } = process.env
if (flags.help || !endpoint) {
  console.log(`node scripts/s3-server.mjs npm run lambda-start -- [--cwd folder of a config] [--composition folder] [--frames 120]
  [--memory 10240]

Builds the package of the function, and calls it in fresh processes of Node 22: once for a chunk of one frame, and for a chunk of
so many frames at 1080p and 4k.`)
  process.exit(flags.help ? 0 : 2)
}
const work = mkdtempSync(join(tmpdir(), 'vid-lambda-start-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
const bucket = `start-${randomUUID()}`
const credentials = { accessKeyId: VID_S3_ACCESS_KEY, secretAccessKey: VID_S3_SECRET_KEY }
const client = new S3Client({ endpoint, forcePathStyle: true, region: 'us-east-1', credentials })
await client.send(new CreateBucketCommand({ Bucket: bucket }))

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const table = (rows) => {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  for (const row of rows) console.log(row.map((cell, index) => String(cell).padEnd(widths[index])).join('  '))
  console.log()
}

/** Unpacks a zip with the permissions that it gives; returns its folder. */
const unzip = async (file, folder) => {
  const zip = await promisify(open)(file, { lazyEntries: true })
  const openEntry = promisify(zip.openReadStream.bind(zip))
  await new Promise((resolve, reject) => {
    zip.on('end', resolve).on('error', reject)
    zip.on('entry', async (entry) => {
      const path = join(folder, entry.fileName)
      mkdirSync(dirname(path), { recursive: true })
      const mode = (entry.externalFileAttributes >>> 16) & 0o777
      await pipeline(await openEntry(entry), createWriteStream(path, { mode })).catch(reject)
      zip.readEntry()
    })
    zip.readEntry()
  })
  return folder
}

/** Uploads a project as `deploySite` does; returns its id. */
const putSite = async (projectDir) => {
  const manifest = await readManifest(projectDir)
  const zip = join(work, `${manifest.digest}.zip`)
  await writeProjectZip(projectDir, manifest, zip)
  const Key = `sites/${manifest.digest}/project.zip`
  await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: await readFile(zip) }))
  return manifest.digest
}

const program = await node22()

/** Starts an environment, with a folder for temporary files of its own. */
const startEnvironment = async (codeDir) => {
  const tempDir = mkdtempSync(join(work, 'temp-'))
  const startedMs = performance.now()
  const child = fork(fileURLToPath(new URL('lambda-start/environment.mjs', import.meta.url)), {
    cwd: codeDir,
    execPath: program,
    silent: true,
    env: {
      PATH: '/usr/bin:/bin',
      TMPDIR: tempDir,
      VID_BUCKET: bucket,
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: VID_S3_ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: VID_S3_SECRET_KEY,
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: flags.memory,
    },
  })
  let said = ''
  child.stderr.on('data', (chunk) => {
    said += chunk
  })
  child.stdout.resume()
  const answered = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`the function ended with ${code}: ${said}`)))
    })
  await answered()
  const initMs = performance.now() - startedMs
  return {
    initMs,
    async call(event) {
      let peak = 0
      const timer = setInterval(() => {
        peak = Math.max(peak, memoryOf(child.pid))
      }, 100)
      child.send({ id: randomUUID(), event })
      const { result, failure, ms } = await answered().finally(() => clearInterval(timer))
      if (failure) throw new Error(`${failure.name}: ${failure.message}\n${said}`)
      return { result, ms, peak }
    },
    close: () => child.kill(),
  }
}

const inputOf = (siteId, request, chunks) => ({
  ...{ action: 'plan', version: '0.1.0', renderId: `render-${randomUUID()}`, siteId },
  request: { format: 'mp4', fps: 30, ...request },
  chunks: { maxParallelChunks: 1000, ...chunks },
  ...{ outputKey: 'outputs/film.mp4', reuse: false },
})
const segmentOf = ({ renderId, request, plan, chunks }) => ({
  ...{ action: 'segment', renderId, request, plan, chunks: chunks.length, chunk: 0 },
})

const cwd = flags.cwd ?? work
const builtMs = performance.now()
const built = await buildFunctionPackage({ cwd, out: join(work, 'function.zip') })
console.log(
  `package ${built.sha256.slice(0, 16)}, built in ${((performance.now() - builtMs) / 1000).toFixed(1)} s\n`,
)
table([
  ['part', 'unzipped'],
  ...built.parts.slice(0, 12).map(({ name, bytes }) => [name, megabytes(bytes)]),
  ['all', megabytes(built.unzippedBytes)],
  ['zip', megabytes(built.bytes)],
])
const codeDir = await unzip(built.path, join(work, 'function'))
const siteId = await putSite(flags.composition)

const one = await startEnvironment(codeDir)
const seconds = Number(flags.frames) / 30
const first = inputOf(siteId, { to: '1' }, { chunkSize: 1 })
const planned = await one.call(first)
one.close()
const other = await startEnvironment(codeDir)
const cold = await other.call(segmentOf(planned.result))
const warm = await other.call(segmentOf(planned.result))
other.close()
table([
  ['start', 'ms'],
  ['init (process to handler)', Math.round(other.initMs)],
  ['plan, in a new environment', Math.round(planned.ms)],
  ['chunk of one frame, in a new environment', Math.round(cold.ms)],
  ['the same, in one that is warm', Math.round(warm.ms)],
])

const rows = [['picture', 'frames', 'seconds', 'memory at most']]
for (const [name, size] of [
  ['1080p', { width: 1920, height: 1080 }],
  ['4k', { width: 3840, height: 2160 }],
]) {
  const environment = await startEnvironment(codeDir)
  const frames = Number(flags.frames)
  const input = inputOf(siteId, { ...size, to: String(seconds) }, { chunkSize: frames })
  const { result } = await environment.call(input)
  const { ms, peak } = await environment.call(segmentOf(result))
  environment.close()
  rows.push([name, result.frames, (ms / 1000).toFixed(1), megabytes(peak)])
}
table(rows)
