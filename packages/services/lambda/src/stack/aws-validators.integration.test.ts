import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, assertions, Stack } from 'aws-cdk-lib'
import { CfnInclude } from 'aws-cdk-lib/cloudformation-include'
import { afterAll, expect, test } from 'vitest'
import { ownTemplate } from './own-template.ts'
import { bucketTemplate, MAX_TEMPLATE_BYTES, stackTemplate } from './template.ts'
import type { StackTemplate } from './values.ts'

interface Diagnostic {
  readonly severity: 'INFO' | 'WARN' | 'ERROR' | 'FATAL'
  readonly ruleId: string
  readonly message: string
}
interface Validator {
  readonly RegoEngine: new () => {
    validateTemplate(template: unknown): { readonly diagnostics: readonly Diagnostic[] }
    free(): void
  }
  readonly TemplateContent: new (text: string) => unknown
}

// AWS's validator is installed inside the library of the CDK.
const ofCdk = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib'))
const { RegoEngine, TemplateContent } = ofCdk('@aws/cloudformation-validate') as Validator
const engine = new RegoEngine()
const folder = mkdtempSync(join(tmpdir(), 'vid-template-'))
afterAll(() => {
  engine.free()
  rmSync(folder, { recursive: true })
})

const problemsOf = (template: unknown): readonly string[] =>
  engine
    .validateTemplate(new TemplateContent(JSON.stringify(template)))
    // The number of an account is in the ARN of a boundary, as its owner wrote it.
    .diagnostics.filter(({ severity, ruleId }) => severity !== 'INFO' && ruleId !== 'W9013')
    .map(({ ruleId, message }) => `${ruleId} ${message}`)

const packageFile = join(folder, 'function.zip')
writeFileSync(packageFile, 'a zip')
const permissionsBoundary = 'arn:aws:iam::123456789012:policy/vid-boundary'
const printed = await ownTemplate({ packageFile, tracing: true, permissionsBoundary, memory: 4096 })

const templates: readonly (readonly [string, StackTemplate])[] = [
  ['a stack of another tool', printed.template],
  ['the bucket', bucketTemplate()],
  ['the whole stack with a package', stackTemplate('package')],
  ['the whole stack with an image', stackTemplate('image')],
]

// Both load the descriptions of all resources of AWS.
const LOADED_MS = 120_000

test.each(templates)(
  "AWS's validator has nothing against the template of %s",
  (_, template) => {
    expect(problemsOf(template)).toEqual([])
  },
  LOADED_MS,
)

test(
  "AWS's validator finds a property that there is not, and a value beyond the limits",
  () => {
    const broken = JSON.parse(JSON.stringify(stackTemplate()))
    broken.Resources.RenderFunction.Properties.Colour = 'blue'
    broken.Resources.RenderFunction.Properties.Timeout = 901
    expect(problemsOf(broken).join('\n')).toMatch(/Colour[\s\S]*901|901[\s\S]*Colour/)
  },
  LOADED_MS,
)

test('a template for another tool has its settings written into it, and no parameter but the bucket of the package', () => {
  const { template, packageKey } = printed
  expect(Object.keys(template.Parameters)).toEqual(['CodeBucket'])
  const { RenderFunction, RenderStateMachine, RenderLogs, RenderWorkflowRole } = template.Resources
  expect(RenderFunction?.Properties).toMatchObject({
    MemorySize: 4096,
    TracingConfig: { Mode: 'Active' },
    Code: { S3Bucket: { Ref: 'CodeBucket' }, S3Key: packageKey },
  })
  expect(RenderFunction?.Properties).not.toHaveProperty('ReservedConcurrentExecutions')
  expect(RenderStateMachine?.Properties).toMatchObject({ TracingConfiguration: { Enabled: true } })
  expect(RenderLogs?.Properties).toEqual({ RetentionInDays: 30 })
  expect(RenderWorkflowRole?.Properties).toMatchObject({ PermissionsBoundary: permissionsBoundary })
  expect(template.Outputs.MemorySize?.Value).toBe(4096)
  expect(Buffer.byteLength(JSON.stringify(template, null, 2))).toBeLessThan(MAX_TEMPLATE_BYTES)
})

test('another package, size or tracing makes another version of the function in a printed template', async () => {
  const versionOf = async (options: object) => {
    const { template } = await ownTemplate({ packageFile, ...options })
    return template.Resources.RenderVersion?.Properties.Description
  }
  const plain = await versionOf({})
  expect(await versionOf({ concurrency: 5, tracing: false })).toBe(plain)
  const versions = [plain, await versionOf({ memory: 4096 }), await versionOf({ tracing: true })]
  expect(new Set(versions).size).toBe(3)
})

test.each(templates)(
  'the CDK includes the template of %s as it is',
  (_, template) => {
    const templateFile = join(folder, 'template.json')
    writeFileSync(templateFile, JSON.stringify(template))
    const stack = new Stack(new App({ analyticsReporting: false, outdir: join(folder, 'out') }), 'Films')
    new CfnInclude(stack, 'Template', { templateFile })
    const { Resources, Outputs, Conditions } = assertions.Template.fromStack(stack).toJSON()
    expect({ Resources, Outputs, Conditions }).toEqual({
      Resources: template.Resources,
      Outputs: template.Outputs,
      Conditions: template.Conditions,
    })
  },
  LOADED_MS,
)
