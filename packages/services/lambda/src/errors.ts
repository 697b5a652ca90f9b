import { defineErrors, type ErrorTable } from '@vid/protocol'
import { type AwsAction, awsActions } from './aws-actions.ts'
import { lambdaCommandTexts } from './command-error-texts.ts'
import { followTexts } from './render-error-texts.ts'

/** An unusable value, and why. */
export interface ConfigProblem {
  /** Dotted name of the field: `config.fps`. */
  readonly field: string
  readonly problem: string
}

/** Errors of rendering on AWS. */
export const lambdaErrors = {
  ...followTexts,
  ...lambdaCommandTexts,
  VID_AWS_CREDENTIALS: (f: { reason: string }) => ({
    message: `AWS does not accept the credentials, or there are none: ${f.reason}.`,
    hint: 'Sign in (aws sso login), or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    fault: 'caller',
  }),
  VID_AWS_DENIED: (f: { action: AwsAction; subject: string; reason: string }) => ({
    message: `These credentials may not ${awsActions[f.action]} (permission ${f.action} on ${f.subject}): ${f.reason}.`,
    hint: `Allow it; "vid lambda policies" lists every permission that vid needs.`,
    final: true,
    fault: 'machine',
  }),
  VID_AWS_FAILED: (f: { action: AwsAction; subject: string; reason: string }) => ({
    message: `AWS could not ${awsActions[f.action]} (${f.subject}): ${f.reason}.`,
    hint: 'See the reason from AWS; if AWS itself failed, try again.',
    fault: 'machine',
  }),
  VID_AWS_NOT_FOUND: (f: { subject: string; reason: string }) => ({
    message: `AWS does not know ${f.subject}: ${f.reason}.`,
    hint: 'Check the name, the region and the account; "vid lambda deploy" creates a stack.',
    fault: 'caller',
  }),
  VID_AWS_REGION: (_: object) => ({
    message: 'The AWS region of the stack is unknown.',
    hint: 'Give the region (--region), or set AWS_REGION.',
    fault: 'caller',
  }),
  VID_AWS_THROTTLED: (f: { action: AwsAction; reason: string }) => ({
    message: `AWS throttled the attempts to ${awsActions[f.action]}, even after several retries: ${f.reason}.`,
    hint: 'Try again later, with fewer calls at once (--max-concurrent), or ask AWS for a higher quota.',
    fault: 'machine',
  }),
  VID_AWS_UNREACHABLE: (f: { action: AwsAction; reason: string }) => ({
    message: `AWS cannot be reached to ${awsActions[f.action]}: ${f.reason}.`,
    hint: 'Check the network, the region, and AWS_ENDPOINT_URL if it is set.',
    fault: 'machine',
  }),
  VID_LAMBDA_ALTERED: (f: { key: string; problem: string }) => ({
    message: `The object ${f.key} does not belong to this render: ${f.problem}.`,
    hint: 'Render again; if it happens again, find out who else writes to the bucket.',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_CONFIG: (f: ConfigProblem & { more?: readonly ConfigProblem[] }) => ({
    message: `${f.field} cannot be used: ${f.problem}${(f.more ?? []).map(({ field, problem }) => `\n${field} cannot be used: ${problem}`).join('')}.`,
    hint: 'Correct the value, or leave it out.',
    fault: 'caller',
  }),
  VID_LAMBDA_DEADLINE: (f: { seconds: number }) => ({
    message: `One call took longer than the ${f.seconds} seconds that Lambda allows.`,
    hint: 'Render with smaller chunks: a smaller chunkSize (--chunk-size).',
    fault: 'machine',
  }),
  VID_LAMBDA_ENVIRONMENT: (f: { problem: string }) => ({
    message: `The configuration of the function differs from its stack: ${f.problem}.`,
    hint: 'Deploy the stack again with "vid lambda deploy".',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_EVENT: (f: { what: string; problems: readonly string[] }) => ({
    message: `${f.what} cannot be used: ${f.problems.join('; ')}.`,
    hint: 'Start renders with the command or the SDK of the version that deployed the stack.',
    fault: 'caller',
  }),
  VID_LAMBDA_FORMAT: (f: { stackName: string; format: string; known: readonly string[] }) => ({
    message: `The stack ${f.stackName} does not encode "${f.format}"; its formats: ${f.known.join(', ')}.`,
    hint: `Choose one of these (--format), or add an encoder to the config and run "vid lambda deploy --stack ${f.stackName}".`,
    fault: 'caller',
  }),
  VID_LAMBDA_FUNCTION_VERSION: (f: { asked: string; own: string }) => ({
    message: `The render was started by version ${f.asked}, but the function has version ${f.own}.`,
    hint: 'Deploy the stack with your version: run "vid lambda deploy".',
    fault: 'caller',
  }),
  VID_LAMBDA_LOST: (f: { key: string }) => ({
    message: `The object ${f.key} no longer exists.`,
    hint: 'Render again; the lifecycle rules of the bucket remove the work of a render that waits for days.',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_PACKAGE_BROKEN: (f: { reason: string }) => ({
    message: `The package of the function does not start: ${f.reason}.`,
    hint: 'Correct the config; the function has no variables of this environment, and only the files that the config imports.',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_CONFIG: (f: { file: string; reason: string }) => ({
    message: `${f.file} cannot be packed: ${f.reason}.`,
    hint: 'Correct the config, and install the packages that it imports.',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_NATIVE: (f: { problems: readonly string[] }) => ({
    message: `The function runs on Linux (x86-64), but packages were installed for another system: ${f.problems.join('; ')}.`,
    hint: 'Install them for Linux (npm install --os linux --cpu x64 --libc glibc), or deploy from a Linux machine.',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_EXISTS: (f: { path: string; isReplaceable: boolean }) => ({
    message: `"${f.path}" exists already.`,
    hint: f.isReplaceable
      ? 'Give another path, or replace it with --force.'
      : 'Give another path: --force replaces only what this command has written.',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_SIZE: (f: {
    bytes: number
    maxBytes: number
    parts: readonly { readonly name: string; readonly bytes: number }[]
  }) => ({
    message: `The package of the function has ${f.bytes} bytes unzipped; the limit is ${f.maxBytes}. The largest parts: ${f.parts
      .slice(0, 6)
      .map(({ name, bytes }) => `${name} ${Math.round(bytes / 1e6)} MB`)
      .join(', ')}.`,
    hint: 'Remove unneeded plugins or fonts from the config, or build an image (vid lambda package --image-context DIR) and deploy it (vid lambda deploy --image).',
    fault: 'caller',
  }),
  VID_LAMBDA_PLUGIN_FINAL: (f: { message: string }) => ({
    message: `A plugin failed and reported that another attempt cannot succeed: ${f.message}.`,
    hint: 'See the message of the plugin.',
    final: true,
    fault: 'render',
  }),
  VID_LAMBDA_PRICES_FILE: (f: { path: string; problems: readonly string[] }) => ({
    message: `The price file ${f.path} cannot be used: ${f.problems.join('; ')}.`,
    hint: 'See docs/lambda-scale.md for an example.',
    fault: 'caller',
  }),
  VID_LAMBDA_PRICES_REGION: (f: { region: string; known: readonly string[] }) => ({
    message: `There are no prices for the region "${f.region}", only for ${f.known.join(', ')}.`,
    hint: 'Give prices of this region with --prices FILE.',
    fault: 'caller',
  }),
  VID_LAMBDA_RENDER_EXISTS: (f: { renderId: string }) => ({
    message: `Another render already has the id ${f.renderId}.`,
    hint: 'Give each render a unique id, or none.',
    fault: 'caller',
  }),
  VID_LAMBDA_SEGMENT_CLAIMED: (f: { segment: number }) => ({
    message: `Another render of the batch is rendering segment ${f.segment}.`,
    hint: 'No action is needed: the call is repeated until that segment exists.',
    fault: 'machine',
  }),
  VID_LAMBDA_STREAM_WAITS: (f: { segment: number }) => ({
    message: `Segment ${f.segment} is not finished, so it cannot be published yet.`,
    hint: 'No action is needed: the call is repeated until that segment exists.',
    fault: 'machine',
  }),
  VID_LAMBDA_SITE_MISSING: (f: { siteId: string }) => ({
    message: `The bucket has no site ${f.siteId}.`,
    hint: 'Upload the project with "vid lambda sites create".',
    fault: 'caller',
  }),
  VID_LAMBDA_STACK_FAILED: (f: { stackName: string; status: string; reasons: readonly string[] }) => ({
    message: `The stack ${f.stackName} could not be changed, and is now ${f.status}: ${f.reasons.join('; ')}.`,
    hint: 'Fix the cause and try again: the previous version still works unless its status says otherwise.',
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_FOREIGN: (f: { stackName: string }) => ({
    message: `The stack ${f.stackName} was not created by vid.`,
    hint: 'Give another name (--stack).',
    fault: 'caller',
  }),
  VID_LAMBDA_STACK_MISSING: (f: {
    stackName: string
    /** With its origin: `eu-central-1 (of AWS_REGION)`. */
    region: string
    status?: string
    isRemoval?: boolean
  }) => ({
    message:
      f.status === undefined
        ? `There is no stack ${f.stackName} in the region ${f.region}.`
        : `The stack ${f.stackName} in the region ${f.region} is not complete: ${f.status}.`,
    hint: f.isRemoval
      ? 'Check the region (--region), the account and the name (--stack); if an earlier destroy left the bucket, "aws s3 ls" lists it and "aws s3 rb s3://BUCKET --force" removes it with its content.'
      : 'Deploy it with "vid lambda deploy", or check the region (--region), the account and the name (--stack).',
    fault: 'caller',
  }),
  VID_LAMBDA_STACK_STATE: (f: { stackName: string; status: string }) => ({
    message: `The stack ${f.stackName} cannot be changed in the status ${f.status}.`,
    hint: 'Return it to a complete status in the CloudFormation console, or delete it.',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_VERSION: (f: { stackName: string; ofStack: string; own: string }) => ({
    message: `The stack ${f.stackName} was deployed by version ${f.ofStack} of vid, but this is version ${f.own}.`,
    hint: `Update the stack with "vid lambda deploy --stack ${f.stackName}", or use version ${f.ofStack}.`,
    fault: 'caller',
  }),
  VID_LAMBDA_STORAGE: (f: { needed: number; free: number }) => ({
    message: `Joining needs ${f.needed} bytes of /tmp, but the function has ${f.free}.`,
    hint: 'Deploy with more storage (vid lambda deploy --storage), or render a shorter part (from, to), a smaller picture or a format that compresses more.',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(lambdaErrors)
