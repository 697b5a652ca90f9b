import type { OptionTable, OptionValues } from '@vid/command'
import { defined } from '@vid/protocol'
import type { StackSettings } from '../../stack/stack-parameters.ts'

const tagsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(',').map((tag) => {
      const at = tag.indexOf('=')
      return [tag.slice(0, at).trim(), tag.slice(at + 1).trim()]
    }),
  )

/** Option for the policy that bounds the roles of a stack. */
export const boundaryFlag = {
  kind: 'text',
  rule: 'the ARN of an IAM policy',
  pattern: /^arn:aws[\w-]*:iam::(\d{12}|aws):policy\/\S+$/,
} as const

/** Option for the image of a function. */
export const imageFlag = {
  kind: 'text',
  rule: 'the address of an image in ECR',
  pattern: /^\d{12}\.dkr\.ecr\.[\w-]+\.amazonaws\.com(\.cn)?\/[\w./-]+[:@][\w.:-]+$/,
} as const

/** Options for the settings of a stack. */
export const stackSettingOptions = {
  concurrency: {
    kind: 'integer',
    min: 1,
    max: 1_000_000,
    about: 'reserved concurrent calls of the function',
    default: 'the unreserved calls of the account',
  },
  memory: {
    kind: 'integer',
    min: 128,
    max: 10_240,
    about: 'memory of the function in MB; its share of processors grows with it',
    default: '10240',
  },
  'retention-days': {
    kind: 'integer',
    min: 1,
    max: 36_500,
    about: 'days for which finished segments are kept for later renders after their last use',
    default: '30',
  },
  storage: {
    kind: 'integer',
    min: 1024,
    max: 10_240,
    about: 'size of /tmp of the function in MB',
    default: '10240',
  },
  'log-days': {
    kind: 'integer',
    min: 1,
    max: 3653,
    about: 'days for which logs are kept, a value of CloudWatch such as 7, 30 or 365',
    default: '30',
  },
  tracing: {
    kind: 'switch',
    about: 'trace the workflow and the function with AWS X-Ray',
    default: 'off',
  },
  'permissions-boundary': {
    ...boundaryFlag,
    about: 'policy that bounds the permissions of both roles of the stack; vid lambda policies boundary prints one',
    default: 'no boundary',
  },
} as const satisfies OptionTable

/** Option for the tags of a stack. */
export const tagsFlag = {
  kind: 'text',
  rule: 'key=value, several of them with commas between',
  pattern: /^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/,
  about: 'tags of the stack and all its resources',
  default: 'no other than that of vid',
} as const

/** The settings that options of `stackSettingOptions` mean. */
export const stackSettingsOf = (
  options: OptionValues<typeof stackSettingOptions> & { readonly tags?: string | undefined },
): StackSettings => {
  const { concurrency, memory, storage, tracing, tags } = options
  const { 'retention-days': retentionDays, 'log-days': logDays, 'permissions-boundary': permissionsBoundary } = options
  return defined({
    concurrency,
    memory,
    storage,
    retentionDays,
    logDays,
    tracing,
    permissionsBoundary,
    tags: tags === undefined ? undefined : tagsOf(tags),
  })
}
