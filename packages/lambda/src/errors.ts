import { defineErrors, type ErrorTable } from '@vid/kernel'
import { type AwsAction, awsActions } from './aws-actions.ts'
import { commandTexts } from './command-error-texts.ts'
import { followTexts } from './render-error-texts.ts'

/** A value that cannot be used, and why. */
export interface ConfigProblem {
  /** Name of the field, with dots: `config.fps`. */
  readonly field: string
  readonly problem: string
}

/** Errors of rendering on AWS. */
export const lambdaErrors = {
  ...followTexts,
  ...commandTexts,
  VID_AWS_CREDENTIALS: (f: { reason: string }) => ({
    message: `AWS does not accept the credentials, or there are none: ${f.reason}`,
    hint: 'sign in (aws sso login), or set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    fault: 'caller',
  }),
  VID_AWS_DENIED: (f: { action: AwsAction; subject: string; reason: string }) => ({
    message: `these credentials may not ${awsActions[f.action]} (permission ${f.action} on ${f.subject}): ${f.reason}`,
    hint: `allow it; all that is needed is listed by vid lambda policies`,
    final: true,
    fault: 'machine',
  }),
  VID_AWS_FAILED: (f: { action: AwsAction; subject: string; reason: string }) => ({
    message: `AWS could not ${awsActions[f.action]} (${f.subject}): ${f.reason}`,
    hint: 'see the reason that AWS gives; a fault of AWS may pass when it is tried again',
    fault: 'machine',
  }),
  VID_AWS_NOT_FOUND: (f: { subject: string; reason: string }) => ({
    message: `AWS does not know ${f.subject}: ${f.reason}`,
    hint: 'check the name, the region and the account; vid lambda deploy makes a stack',
    fault: 'caller',
  }),
  VID_AWS_REGION: (_: object) => ({
    message: 'it is not known in which region of AWS the stack is',
    hint: 'give the region (--region), or set AWS_REGION',
    fault: 'caller',
  }),
  VID_AWS_THROTTLED: (f: { action: AwsAction; reason: string }) => ({
    message: `AWS was asked to ${awsActions[f.action]} too often, also after several attempts: ${f.reason}`,
    hint: 'try again later, with fewer at once (--max-concurrent), or ask AWS for a higher quota',
    fault: 'machine',
  }),
  VID_AWS_UNREACHABLE: (f: { action: AwsAction; reason: string }) => ({
    message: `AWS cannot be reached to ${awsActions[f.action]}: ${f.reason}`,
    hint: 'check the network, the region, and AWS_ENDPOINT_URL where it is set',
    fault: 'machine',
  }),
  VID_LAMBDA_ALTERED: (f: { key: string; problem: string }) => ({
    message: `the object ${f.key} is not the one that was written for this render: ${f.problem}`,
    hint: 'render again; if it happens once more, find out who else writes into the bucket',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_CONFIG: (f: ConfigProblem & { more?: readonly ConfigProblem[] }) => ({
    message: `${f.field} cannot be used: ${f.problem}${(f.more ?? []).map(({ field, problem }) => `\n${field} cannot be used: ${problem}`).join('')}`,
    hint: 'correct the value, or leave it out',
    fault: 'caller',
  }),
  VID_LAMBDA_DEADLINE: (f: { seconds: number }) => ({
    message: `the work of one call took longer than the ${f.seconds} seconds that Lambda gives it`,
    hint: 'render with smaller chunks: a smaller chunkSize (--chunk-size)',
    fault: 'machine',
  }),
  VID_LAMBDA_ENVIRONMENT: (f: { problem: string }) => ({
    message: `the function is not set up as its stack does it: ${f.problem}`,
    hint: 'deploy the stack again: vid lambda deploy',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_EVENT: (f: { what: string; problems: readonly string[] }) => ({
    message: `${f.what} cannot be used: ${f.problems.join('; ')}`,
    hint: 'start renders with the command or the SDK of the version that the stack was deployed with',
    fault: 'caller',
  }),
  VID_LAMBDA_FORMAT: (f: { stackName: string; format: string; known: readonly string[] }) => ({
    message: `the stack ${f.stackName} makes no "${f.format}"; its formats: ${f.known.join(', ')}`,
    hint: `give one of these (--format), or add a plugin that makes it to the config and deploy again: vid lambda deploy --stack ${f.stackName}`,
    fault: 'caller',
  }),
  VID_LAMBDA_FUNCTION_VERSION: (f: { asked: string; own: string }) => ({
    message: `the render was started by version ${f.asked}, and the function has version ${f.own}`,
    hint: 'deploy the stack with the version that you use: vid lambda deploy',
    fault: 'caller',
  }),
  VID_LAMBDA_LOST: (f: { key: string }) => ({
    message: `the object ${f.key} is gone`,
    hint: 'render again; a render that waits for days loses its work to the lifecycle of the bucket',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_PACKAGE_BROKEN: (f: { reason: string }) => ({
    message: `the package of the function does not start: ${f.reason}`,
    hint: 'correct the config; in the function it has no variables of this environment, and no files but those that it imports',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_CONFIG: (f: { file: string; reason: string }) => ({
    message: `${f.file} cannot be packed: ${f.reason}`,
    hint: 'correct the config, and install the packages that it imports',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_NATIVE: (f: { problems: readonly string[] }) => ({
    message: `the function runs on Linux (x86-64), and packages were installed for another system: ${f.problems.join('; ')}`,
    hint: 'install them for it (npm install --os linux --cpu x64 --libc glibc), or deploy from such a machine',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_EXISTS: (f: { path: string; isReplaceable: boolean }) => ({
    message: `there is something at "${f.path}" already`,
    hint: f.isReplaceable
      ? 'give another path, or replace it with --force'
      : 'give another path: --force replaces only what this command has written',
    fault: 'caller',
  }),
  VID_LAMBDA_PACKAGE_SIZE: (f: {
    bytes: number
    maxBytes: number
    parts: readonly { readonly name: string; readonly bytes: number }[]
  }) => ({
    message: `the package of the function has ${f.bytes} bytes unzipped, and may have ${f.maxBytes}; the largest parts: ${f.parts
      .slice(0, 6)
      .map(({ name, bytes }) => `${name} ${Math.round(bytes / 1e6)} MB`)
      .join(', ')}`,
    hint: 'leave plugins or fonts that are not needed out of the config, or make an image (vid lambda package --image-context DIR) and deploy it (vid lambda deploy --image)',
    fault: 'caller',
  }),
  VID_LAMBDA_PLUGIN_FINAL: (f: { message: string }) => ({
    message: `a plugin failed, and says that another attempt cannot succeed: ${f.message}`,
    hint: 'see the message of the plugin',
    final: true,
    fault: 'render',
  }),
  VID_LAMBDA_PRICES_FILE: (f: { path: string; problems: readonly string[] }) => ({
    message: `the file of prices ${f.path} cannot be used: ${f.problems.join('; ')}`,
    hint: 'docs/lambda-scale.md shows such a file',
    fault: 'caller',
  }),
  VID_LAMBDA_PRICES_REGION: (f: { region: string; known: readonly string[] }) => ({
    message: `there are no prices for the region "${f.region}", only for ${f.known.join(', ')}`,
    hint: 'give prices of this region with --prices FILE',
    fault: 'caller',
  }),
  VID_LAMBDA_RENDER_EXISTS: (f: { renderId: string }) => ({
    message: `there is another render with the id ${f.renderId}`,
    hint: 'give each render an id of its own, or none',
    fault: 'caller',
  }),
  VID_LAMBDA_SEGMENT_CLAIMED: (f: { segment: number }) => ({
    message: `segment ${f.segment} is being rendered by another render of the batch`,
    hint: 'nothing needs to be done: the call is repeated until that segment is there',
    fault: 'machine',
  }),
  VID_LAMBDA_SITE_MISSING: (f: { siteId: string }) => ({
    message: `the bucket has no site ${f.siteId}`,
    hint: 'upload the project: vid lambda sites create',
    fault: 'caller',
  }),
  VID_LAMBDA_STACK_FAILED: (f: { stackName: string; status: string; reasons: readonly string[] }) => ({
    message: `the stack ${f.stackName} could not be changed, and is now ${f.status}: ${f.reasons.join('; ')}`,
    hint: 'mend the cause, and do it again: what was there before still works unless its status says otherwise',
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_FOREIGN: (f: { stackName: string }) => ({
    message: `the stack ${f.stackName} was not made by vid`,
    hint: 'give another name (--stack)',
    fault: 'caller',
  }),
  VID_LAMBDA_STACK_MISSING: (f: {
    stackName: string
    /** With where it comes from: `eu-central-1 (of AWS_REGION)`. */
    region: string
    status?: string
    isRemoval?: boolean
  }) => ({
    message:
      f.status === undefined
        ? `there is no stack ${f.stackName} in the region ${f.region}`
        : `the stack ${f.stackName} in the region ${f.region} is not complete: ${f.status}`,
    hint: f.isRemoval
      ? 'check the region (--region), the account and the name (--stack); where an earlier destroy has left the bucket, "aws s3 ls" names it, and "aws s3 rb s3://BUCKET --force" removes it with everything in it'
      : 'deploy it with vid lambda deploy, or check the region (--region), the account and the name (--stack)',
    fault: 'caller',
  }),
  VID_LAMBDA_STACK_STATE: (f: { stackName: string; status: string }) => ({
    message: `the stack ${f.stackName} cannot be changed in the status ${f.status}`,
    hint: 'bring it back to a complete status in the console of CloudFormation, or delete it',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_VERSION: (f: { stackName: string; ofStack: string; own: string }) => ({
    message: `the stack ${f.stackName} was made by version ${f.ofStack} of vid, and this is version ${f.own}`,
    hint: `bring the stack to this version with vid lambda deploy --stack ${f.stackName}, or use version ${f.ofStack}`,
    fault: 'caller',
  }),
  VID_LAMBDA_STORAGE: (f: { needed: number; free: number }) => ({
    message: `joining needs ${f.needed} bytes of /tmp, and the function has ${f.free}`,
    hint: 'deploy with more of it (vid lambda deploy --storage), or render a shorter part (from, to), a smaller picture or a format that compresses more',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(lambdaErrors)
