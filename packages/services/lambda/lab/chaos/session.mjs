// Renders with the SDK on a deployed stack, and what is left in its bucket: for the scripts that look for what goes wrong.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn'
import { deploySite, getRenderProgress, renderToLambda } from '@vid/lambda'
import { path } from '../../../../../scripts/workspaces.mjs'

const run = promisify(execFile)
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/** What may be left of a render when it has ended: who called, what was asked, how it ended. */
const KEPT = /^(?:calls\/.+|(?:request|plan|result|failure|variables)\.json)$/

/** Renders a folder on this machine; resolves to the digest of the file. */
export const renderHere = async (dir, work, words = []) => {
  const output = join(work, `${sha256(dir + words).slice(0, 16)}.mp4`)
  const command = [
    path('packages/engine/cli/bin/vid.js'),
    'render',
    dir,
    '-o',
    output,
    '--force',
    '--raster',
    'portable',
    ...words,
  ]
  // A function has the embedded ffmpeg, whose bytes are not those of one on the PATH.
  const env = { ...process.env, PATH: work, VID_CACHE: 'off', VID_SANDBOX: 'off' }
  await run(process.execPath, command, { env, maxBuffer: 1e8 })
  return sha256(await readFile(output))
}

/**
 * A stack to render on. `env` must be in the environment of this process.
 * @param {{ bucketName: string, stateMachineArn: string }} place
 */
export const openSession = (place) => {
  const { bucketName: Bucket } = place
  const s3 = new S3Client({})
  const sfn = new SFNClient({})
  const keys = async (Prefix) => {
    const keys = []
    let ContinuationToken
    do {
      const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key))
      ContinuationToken = page.NextContinuationToken
    } while (ContinuationToken)
    return keys
  }
  const digestOf = async (Key) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
    return sha256(await Body.transformToByteArray())
  }
  /** Starts a render of a folder. */
  const start = async (dir, { config, ...more }) => {
    const siteHandle = await deploySite({ projectDir: dir, bucketName: Bucket })
    return renderToLambda({ ...place, ...more, siteHandle, config: { fps: 30, format: 'mp4', ...config } })
  }
  /** Follows a render to its end. */
  const follow = async ({ renderId }) => {
    for (;;) {
      const progress = await getRenderProgress({ ...place, renderId })
      if (progress.status !== 'RUNNING') return progress
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
  }
  /** Types of the events of an execution, and the errors of its calls. */
  const history = async (executionArn) => {
    const events = []
    let nextToken
    do {
      const page = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000, nextToken }))
      events.push(...page.events)
      nextToken = page.nextToken
    } while (nextToken)
    return events
  }
  /** Objects of a render that should be gone. */
  const leftOf = async (renderId) => {
    const folder = `renders/${renderId}/`
    const all = await keys(folder)
    return all.filter((key) => !KEPT.test(key.slice(folder.length)))
  }
  return { start, follow, history, leftOf, keys, digestOf, sfn, s3, place }
}
