// Measures the function as Lambda starts it, from its package, in fresh processes of Node 22: sizes, time to the first frame,
// memory of one worker and of as many as the function has. It needs an S3 server: npm run lab -- s3-server npm run lab -- lambda-start
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
import { encodersOf, memoryOf, treeOf } from './start/processes.mjs'

const { values: flags } = parseArgs({
  options: {
    cwd: { type: 'string' },
    package: { type: 'string' },
    processors: { type: 'string', default: '6' },
    memory: { type: 'string', default: '10240' },
    help: { type: 'boolean', default: false },
  },
})
const FPS = 30
/** Of `vid render`: 120 frames. */
const SEGMENT_SECONDS = 4
/** More than the function has workers. */
const MANY_SEGMENTS = 10

const { VID_S3_ENDPOINT: endpoint, VID_S3_ACCESS_KEY = '', VID_S3_SECRET_KEY = '' } = process.env
if (flags.help || !endpoint) {
  console.log(`npm run lab -- s3-server npm run lab -- lambda-start [--cwd folder of a config] [--package FILE]
  [--memory 10240] [--processors 6]

Builds the package of the function, or takes one that was built before, and calls it in fresh processes of Node 22: once for a
chunk of one frame, and for chunks of one segment and of many at 1080p and 4k. For those, the function sees --processors idle
ones, as a function of 10,240 MB has them, so that it starts as many workers as it ever would. A call that holds more than --memory
MB is ended, as Lambda ends it.`)
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
  const zip = join(work, `${randomUUID()}.zip`)
  await writeProjectZip(projectDir, manifest, zip)
  const Key = `sites/${manifest.digest}/project.zip`
  await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: await readFile(zip) }))
  return manifest.digest
}

const program = await node22()
const limit = Number(flags.memory) * 2 ** 20

/** Starts an environment, with a folder for temporary files of its own. */
const startEnvironment = async (codeDir, processors = 0) => {
  const tempDir = mkdtempSync(join(work, 'temp-'))
  const startedMs = performance.now()
  const child = fork(fileURLToPath(new URL('start/environment.mjs', import.meta.url)), [`${processors}`], {
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
      let workers = 0
      const timer = setInterval(() => {
        peak = Math.max(peak, memoryOf(child.pid))
        workers = Math.max(workers, encodersOf(child.pid))
        if (peak > limit) for (const pid of treeOf(child.pid)) process.kill(pid, 'SIGKILL')
      }, 100)
      child.send({ id: randomUUID(), event })
      const { result, failure, ms } = await answered().finally(() => clearInterval(timer))
      if (failure) throw new Error(`${failure.name}: ${failure.message}\n${said}`)
      return { result, ms, peak, workers }
    },
    close: () => child.kill(),
  }
}

const inputOf = (siteId, request, chunks) => ({
  action: 'plan',
  version: '0.1.0',
  renderId: `render-${randomUUID()}`,
  siteId,
  request: { format: 'mp4', fps: FPS, ...request },
  chunks: { maxParallelChunks: 1000, ...chunks },
  outputKey: 'outputs/film.mp4',
  reuse: false,
})
const segmentOf = ({ renderId, request, plan, chunks }) => ({
  action: 'segment',
  renderId,
  request,
  plan,
  chunks: chunks.length,
  chunk: 0,
})

/** Builds the package, and says what is in it. */
const build = async () => {
  const builtMs = performance.now()
  const built = await buildFunctionPackage({ cwd: flags.cwd ?? work, out: join(work, 'function.zip') })
  const seconds = (performance.now() - builtMs) / 1000
  console.log(`package ${built.sha256.slice(0, 16)}, built in ${seconds.toFixed(1)} s\n`)
  table([
    ['part', 'unzipped'],
    ...built.parts.slice(0, 12).map(({ name, bytes }) => [name, megabytes(bytes)]),
    ['all', megabytes(built.unzippedBytes)],
    ['zip', megabytes(built.bytes)],
  ])
  return built.path
}

/** Uploads a video of `segments` segments that moves in every pixel. */
const putComposition = async (segments) => {
  const page = await readFile('bench/compositions/full-motion/index.html', 'utf8')
  const seconds = segments * SEGMENT_SECONDS
  const longer = page
    .replace('data-duration="4"', `data-duration="${seconds}"`)
    .replace('step <= 4', `step <= ${seconds}`)
  const folder = mkdtempSync(join(work, 'film-'))
  writeFileSync(join(folder, 'index.html'), longer)
  return putSite(folder)
}

const codeDir = await unzip(flags.package ?? (await build()), join(work, 'function'))
const siteId = await putComposition(1)

const one = await startEnvironment(codeDir)
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

const rows = [['picture', 'workers', 'frames', 'seconds', 'memory at most']]
for (const [name, size, segments] of [
  ['1080p', { width: 1920, height: 1080 }, 1],
  ['1080p', { width: 1920, height: 1080 }, 2],
  ['1080p', { width: 1920, height: 1080 }, MANY_SEGMENTS],
  ['4k', { width: 3840, height: 2160 }, 1],
  ['4k', { width: 3840, height: 2160 }, MANY_SEGMENTS / 2],
]) {
  const environment = await startEnvironment(codeDir, Number(flags.processors))
  const input = inputOf(await putComposition(segments), size, { chunkSize: segments * SEGMENT_SECONDS * FPS })
  const { result } = await environment.call(input)
  const { ms, peak, workers } = await environment.call(segmentOf(result))
  environment.close()
  rows.push([name, workers, result.frames, (ms / 1000).toFixed(1), megabytes(peak)])
}
table(rows)
