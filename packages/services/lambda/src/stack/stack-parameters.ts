import type { Parameter } from '@aws-sdk/client-cloudformation'
import { FUNCTION_MEMORY, FUNCTION_STORAGE, LEAST_STORAGE } from '../contract/limits.ts'
import type { ConfigProblem } from '../errors.ts'
import { STACK_TAG } from './find-stack.ts'
import { functionDigest } from './function-resources.ts'

/** Settings of a stack. */
export interface StackSettings {
  /** Memory of the function in MB, from 128 to 10240; it determines the processors. Default 10240. */
  readonly memory?: number
  /** Size of its /tmp in MB, from 1024 to 10240. Default 10240. */
  readonly storage?: number
  /** Concurrency reserved for this function; no reservation if left out. */
  readonly concurrency?: number
  /** Days for which a finished segment is kept after its last use. Default 30. */
  readonly retentionDays?: number
  /** Retention of logs in days, one of the values that CloudWatch accepts. Default 30. */
  readonly logDays?: number
  /** Image of the function in a registry of the account, in place of a package. */
  readonly image?: string
  /** Whether X-Ray traces the workflow and the function. Default false. */
  readonly tracing?: boolean
  /** ARN of an IAM policy that bounds the permissions of both roles; no boundary if left out. */
  readonly permissionsBoundary?: string
  /** Tags of the stack and all its resources, at most 49. */
  readonly tags?: Readonly<Record<string, string>>
}

const RANGES = {
  memory: [128, 10_240],
  storage: [LEAST_STORAGE, FUNCTION_STORAGE],
  concurrency: [1, 1_000_000],
  retentionDays: [1, 36_500],
} as const

/** Retention times that CloudWatch Logs accepts, in days. */
const LOG_DAYS: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
]

const IMAGE =
  /^\d{12}\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(\.cn)?\/[a-z0-9._/-]+(:[\w.-]{1,128})?(@sha256:[0-9a-f]{64})?$/

/** ARN of an IAM policy, of the account or of AWS. */
export const POLICY_ARN = /^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/[\w+=,.@/-]{1,512}$/

/** One tag belongs to vid; AWS accepts 50. */
const MAX_TAGS = 49
const TAG_KEY = /^(?![Aa][Ww][Ss]:)[\p{L}\p{Z}\p{N}_.:/=+@-]{1,128}$/u
const TAG_VALUE = /^[\p{L}\p{Z}\p{N}_.:/=+@-]{0,256}$/u

const tagProblems = (tags: Readonly<Record<string, string>>): readonly ConfigProblem[] => {
  const entries = Object.entries(tags)
  const tooMany = entries.length > MAX_TAGS ? [`there may be at most ${MAX_TAGS}; got ${entries.length}`] : []
  const wrong = entries.flatMap(([key, value]) => {
    if (key === STACK_TAG.Key) return [`${key} is the tag by which vid knows its stacks`]
    if (TAG_KEY.test(key) && TAG_VALUE.test(value)) return []
    return [
      `a key has 1 to 128 characters and does not begin with aws:, a value has at most 256, and both have only letters, digits, spaces and _ . : / = + - @; got ${JSON.stringify(`${key}=${value}`)}`,
    ]
  })
  return [...tooMany, ...wrong].map((problem) => ({ field: 'tags', problem }))
}

/** All problems of a stack's settings. */
export const settingsProblems = (settings: StackSettings): readonly ConfigProblem[] => {
  const problems: ConfigProblem[] = []
  for (const [field, [least, most]] of Object.entries(RANGES)) {
    const value = settings[field as keyof typeof RANGES]
    if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) continue
    problems.push({
      field,
      problem: `it must be a whole number from ${least} to ${most}; got ${String(value)}`,
    })
  }
  const { logDays, image, permissionsBoundary, tags = {} } = settings
  if (logDays !== undefined && !LOG_DAYS.includes(logDays))
    problems.push({
      field: 'logDays',
      problem: `it must be one of ${LOG_DAYS.join(', ')}; got ${String(logDays)}`,
    })
  if (image !== undefined && !IMAGE.test(image))
    problems.push({
      field: 'image',
      problem: `it must be an image of Amazon ECR, such as 123456789012.dkr.ecr.eu-central-1.amazonaws.com/vid:1; got ${JSON.stringify(image)}`,
    })
  if (permissionsBoundary !== undefined && !POLICY_ARN.test(permissionsBoundary))
    problems.push({
      field: 'permissionsBoundary',
      problem: `it must be the ARN of an IAM policy, such as arn:aws:iam::123456789012:policy/vid-boundary; got ${JSON.stringify(permissionsBoundary)}`,
    })
  return [...problems, ...tagProblems(tags)]
}

const parameters = (values: Readonly<Record<string, string | number>>): Parameter[] =>
  Object.entries(values).map(([ParameterKey, value]) => ({ ParameterKey, ParameterValue: String(value) }))

/** Parameters of the template with only the bucket. */
export const bucketParametersOf = ({ retentionDays = 30 }: StackSettings): Parameter[] =>
  parameters({ SegmentDays: retentionDays })

/** Parameters of the whole template. */
export const parametersOf = (settings: StackSettings, packageDigest: string | undefined): Parameter[] => {
  const { image = '', memory = FUNCTION_MEMORY, storage = FUNCTION_STORAGE } = settings
  const traced = settings.tracing ? ['traced'] : []
  const isImage = packageDigest === undefined
  return [
    ...bucketParametersOf(settings),
    ...parameters({
      ...(isImage ? { ImageUri: image } : { PackageDigest: packageDigest }),
      MemorySize: memory,
      StorageSize: storage,
      FunctionDigest: functionDigest(isImage ? 'image' : 'package', packageDigest ?? image, memory, storage, ...traced),
      ReservedConcurrency: settings.concurrency ?? '',
      LogDays: settings.logDays ?? 30,
      Tracing: settings.tracing ? 'on' : 'off',
    }),
  ]
}
