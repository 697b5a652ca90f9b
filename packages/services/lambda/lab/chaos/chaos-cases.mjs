// What goes wrong in each case of `npm run lab -- lambda-chaos`, and what must become of the render.

/**
 * A case.
 * @typedef {object} Chaos
 * @property {readonly import('../aws/s3-front.d.mts').Rule[]} [rules] what happens to requests to S3
 * @property {object} [configuration] of the function, for this case
 * @property {number} [concurrency] of the account
 * @property {object} [config] of the render
 * @property {string} ends `same`: the file of a local render; `same chunks`: that of an undisturbed one; else the code it fails with
 * @property {boolean} [isShort] whether a video of 45 frames will do
 * @property {string} [seen] an error that a call must have had
 * @property {number} [calls] most calls that may be made
 */

const fromFunction = (method, key, more) => ({ from: 'function', method, key, ...more })
const SEGMENTS = 'renders/[^/]+/segments/'

/** @type {Readonly<Record<string, Chaos>>} */
export const cases = {
  'nothing goes wrong': { ends: 'same' },
  'an environment is killed in a segment': {
    rules: [fromFunction('PUT', SEGMENTS, { kind: 'kill' })],
    ends: 'same',
    seen: 'Runtime.ExitError',
  },
  'an environment is killed while it plans': {
    rules: [fromFunction('PUT', 'renders/[^/]+/plan.json', { kind: 'kill' })],
    ends: 'same',
    seen: 'Runtime.ExitError',
  },
  'an environment is killed while it assembles': {
    rules: [fromFunction('GET', SEGMENTS, { kind: 'kill' })],
    ends: 'same',
    seen: 'Runtime.ExitError',
  },
  'an environment is killed while it puts the result': {
    rules: [fromFunction('PUT', 'outputs/', { kind: 'kill' })],
    ends: 'same',
    seen: 'Runtime.ExitError',
  },
  'an environment is killed in the same segment each time': {
    rules: [fromFunction('PUT', `${SEGMENTS}0-`, { kind: 'kill', times: 100 })],
    ends: 'Runtime.ExitError',
  },
  'a call stands still until its time is over': {
    rules: [fromFunction('PUT', SEGMENTS, { kind: 'stall' })],
    configuration: { Timeout: 45 },
    ends: 'same',
    seen: 'Sandbox.Timedout',
  },
  'S3 stands still until the time of a call is over': {
    rules: [fromFunction('PUT', SEGMENTS, { kind: 'silence', times: 100 })],
    configuration: { Timeout: 45 },
    ends: 'VID_LAMBDA_DEADLINE',
  },
  'the memory is too small': {
    configuration: { MemorySize: 300 },
    ends: 'Runtime.ExitError',
  },
  'one call may run at once': {
    concurrency: 1,
    config: { chunkSize: 30 },
    ends: 'same chunks',
    seen: 'Lambda.TooManyRequestsException',
  },
  'S3 asks to slow down': {
    rules: [{ from: 'function', kind: 'status', status: 503, code: 'SlowDown', times: 12 }],
    ends: 'same',
  },
  'S3 fails': {
    rules: [fromFunction('PUT', 'renders/', { kind: 'status', status: 500, code: 'InternalError', times: 6 })],
    ends: 'same',
  },
  'S3 is slow': {
    rules: [{ from: 'function', method: 'GET', kind: 'slow', bytesPerSecond: 20_000, times: 100 }],
    ends: 'same',
  },
  'S3 cuts what it sends': {
    rules: [
      // An environment that has rendered the video before fetches it no more.
      fromFunction('GET', 'sites/', { kind: 'cut', times: 2, isOptional: true }),
      fromFunction('GET', 'renders/', { kind: 'cut', times: 6 }),
    ],
    ends: 'same',
  },
  'S3 closes connections': {
    rules: [{ from: 'function', kind: 'reset', times: 12 }],
    ends: 'same',
  },
  'the plan is tampered with': {
    rules: [fromFunction('GET', 'renders/[^/]+/plan.json', { kind: 'put', body: '{"segments":[]}' })],
    ends: 'VID_LAMBDA_ALTERED',
  },
  'the request is tampered with': {
    rules: [fromFunction('GET', 'renders/[^/]+/request.json', { kind: 'put', body: '{}' })],
    ends: 'VID_LAMBDA_ALTERED',
  },
  'the record of a chunk is tampered with': {
    rules: [fromFunction('GET', 'renders/[^/]+/chunks/', { kind: 'put', body: '{}' })],
    ends: 'VID_LAMBDA_ALTERED',
  },
  'a segment is tampered with': {
    rules: [fromFunction('GET', SEGMENTS, { kind: 'put', body: 'no video' })],
    ends: 'VID_LAMBDA_ALTERED',
  },
  'a segment is lost': {
    rules: [fromFunction('GET', SEGMENTS, { kind: 'status', status: 404, code: 'NoSuchKey', times: 100 })],
    ends: 'VID_LAMBDA_LOST',
  },
  'more chunks than an inline Map takes': {
    config: { chunkSize: 1, maxParallelChunks: 45 },
    ends: 'same chunks',
    isShort: true,
  },
  'more chunks than an inline Map takes, and a tampered plan': {
    rules: [fromFunction('GET', 'renders/[^/]+/plan.json', { kind: 'put', body: '{}', skip: 2 })],
    config: { chunkSize: 1, maxParallelChunks: 45 },
    ends: 'VID_LAMBDA_ALTERED',
    isShort: true,
  },
}
