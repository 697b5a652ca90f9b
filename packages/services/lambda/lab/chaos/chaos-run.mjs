// Runs one case of `npm run lab -- lambda-chaos`, and says what is wrong with how it ended.

import { randomUUID } from 'node:crypto'

/** Codes of a render that has not succeeded: the one that a user is shown, and those of its calls. */
const codesOf = (progress, lambdaFailure) => [
  lambdaFailure(progress).code,
  ...progress.errors.map(({ error }) => error),
]

const keyOf = ({ outputS3Uri }) => outputS3Uri.replace(/^s3:\/\/[^/]+\//, '')

const problemsOfFile = async (session, end, key, { expected, frames }) => {
  if (end.status !== 'SUCCEEDED') return [`it has ${end.status}: ${JSON.stringify(end.errors)}`]
  const digest = await session.digestOf(key)
  const isOther = expected !== undefined && digest !== expected
  return [
    ...(isOther ? ['the file has other bytes than it should have'] : []),
    ...(digest === end.result.sha256 ? [] : ['the result names another digest']),
    ...(end.result.frames === frames ? [] : [`it has ${end.result.frames} frames, not ${frames}`]),
  ]
}
const problemsOfFailure = async (session, end, key, chaos, lambdaFailure) => {
  if (end.status !== 'FAILED') return [`it has ${end.status}, not FAILED`]
  const codes = codesOf(end, lambdaFailure)
  const isThere = (await session.keys(key)).length > 0
  return [
    ...(codes.includes(chaos.ends) ? [] : [`it failed with ${codes}, not with ${chaos.ends}`]),
    ...(isThere ? [`${key} is there though the render has failed`] : []),
  ]
}

/** Waits until no call runs: one whose execution has failed goes on, as on AWS, and may still ask S3 for something. */
const untilIdle = async (aws) => {
  for (;;) {
    const state = await aws.control('state')
    if (state.environments.every(({ isBusy }) => !isBusy)) return state
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/**
 * Runs a case; resolves to its problems and a line about what it took.
 * @param {import('./chaos-cases.mjs').Chaos} chaos
 * @param {object} tools session, aws, configure, concurrency, compositions, lambdaFailure
 */
export const runCase = async (chaos, { session, aws, configure, concurrency, compositions, lambdaFailure }) => {
  const composition = chaos.isShort ? compositions.short : compositions.long
  const config = { chunkSize: 120, reuse: false, ...chaos.config }
  const startedMs = performance.now()
  const renderId = `chaos-${randomUUID()}`
  const render = async (more = {}) => {
    const handle = await session.start(composition.dir, { config, ...more })
    return { handle, end: await session.follow(handle) }
  }
  // Other chunks make other segments than a local render does: the same render without a fault is compared.
  const plain = chaos.ends === 'same chunks' && !chaos.isShort ? await render() : undefined
  const expected = chaos.ends === 'same' ? await composition.digest() : plain?.end.result?.sha256
  await configure(chaos.configuration)
  await aws.control('concurrency', chaos.concurrency ?? concurrency)
  const placed = (key) => key?.replace('renders/[^/]+', `renders/${renderId}`)
  const rules = (chaos.rules ?? []).map((rule) => ({ ...rule, ...(rule.key && { key: placed(rule.key) }) }))
  await aws.control('rules', rules)
  const { handle, end } = await render({ renderId })
  const { rules: done, environments } = await untilIdle(aws)
  await aws.control('rules', [])
  await aws.control('concurrency', concurrency)
  await configure()
  const key = keyOf(handle)
  const problems = done
    .filter((rule) => rule.done === 0 && !rule.isOptional)
    .map((rule) => `no request was chosen by ${JSON.stringify(rule)}`)
  const isFile = chaos.ends.startsWith('same')
  const differences = isFile
    ? await problemsOfFile(session, end, key, { expected, frames: composition.frames })
    : await problemsOfFailure(session, end, key, chaos, lambdaFailure)
  problems.push(...differences)
  const seen = chaos.seen && JSON.stringify(await session.history(handle.executionArn)).includes(chaos.seen)
  if (seen === false) problems.push(`no call had ${chaos.seen}`)
  if (chaos.calls !== undefined && end.lambdasInvoked > chaos.calls)
    problems.push(`${end.lambdasInvoked} calls were made, at most ${chaos.calls} were needed`)
  const left = await session.leftOf(handle.renderId)
  if (left.length > 0) problems.push(`left in the bucket: ${left.join(' ')}`)
  const work = environments.flatMap(({ tmp }) => tmp).filter((file) => file.startsWith('vid-call-'))
  if (work.length > 0) problems.push(`left in /tmp: ${work.join(' ')}`)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  const how = [
    end.status,
    ...end.errors.map(({ error }) => error).slice(-1),
    `${end.lambdasInvoked} calls`,
    `${seconds} s`,
  ]
  return { problems, how: how.join(', ') }
}
