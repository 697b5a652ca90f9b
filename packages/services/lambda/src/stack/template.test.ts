import { expect, test } from 'vitest'
import { prefixes } from '../contract/object-keys.ts'
import { workflowDefinition } from '../workflow/definition.ts'
import { bucketTemplate, MAX_TEMPLATE_BYTES, stackTemplate } from './template.ts'
import type { PolicyDocument, PolicyStatement, StackTemplate, TemplateResource } from './values.ts'

const full = stackTemplate()
const resource = (name: string) => full.Resources[name] as TemplateResource
const properties = (name: string) => resource(name).Properties as never

/** Every name that a template refers to. */
const references = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  if ('Ref' in value) return [String(value.Ref)]
  if ('Fn::GetAtt' in value) return [String((value['Fn::GetAtt'] as readonly string[])[0])]
  if ('Fn::Sub' in value)
    return [...String(value['Fn::Sub']).matchAll(/\$\{([^}]+)\}/g)].map(([, name]) =>
      name?.startsWith('AWS::') ? name : String(name?.split('.')[0]),
    )
  const conditions = 'Fn::If' in value ? [String((value['Fn::If'] as readonly unknown[])[0])] : []
  return [...conditions, ...Object.values(value).flatMap(references)]
}

const namesIn = ({ Parameters, Resources, Conditions = {} }: StackTemplate) => [
  ...Object.keys({ ...Parameters, ...Resources, ...Conditions }),
  'AWS::NoValue',
  'AWS::StackName',
  'AWS::Partition',
  'AWS::Region',
  'AWS::AccountId',
]

test.each([
  ['the whole stack', full],
  ['the whole stack with an image', stackTemplate('image')],
  ['the bucket', bucketTemplate()],
])('the template of %s refers only to what is in it, and goes to CloudFormation with the call', (_, template) => {
  const names = references([template.Resources, template.Outputs, template.Conditions])
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) expect(namesIn(template)).toContain(name)
  const text = JSON.stringify(template)
  expect(Buffer.byteLength(text)).toBeLessThan(MAX_TEMPLATE_BYTES)
  // CloudFormation refuses every null, wherever it stands.
  expect(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')).not.toContain('null')
})

test('the stack keeps the bucket of the first step', () => {
  const { Resources, Outputs, Parameters } = bucketTemplate()
  expect(full.Resources).toMatchObject(Resources)
  expect(full.Outputs).toMatchObject(Outputs)
  expect(full.Parameters).toMatchObject(Parameters)
})

test('the outputs have the promised names', () => {
  expect(Object.keys(full.Outputs).sort()).toEqual([
    'MemorySize',
    'PackageDigest',
    'RenderBucketName',
    'RenderFunctionArn',
    'RenderFunctionVersion',
    'RenderLogGroupName',
    'RenderStateMachineArn',
    'StorageSize',
    'VidVersion',
  ])
})

test('the bucket is private, encrypted, closed to plain HTTP, and outlives its stack', () => {
  expect(resource('RenderBucket')).toMatchObject({
    DeletionPolicy: 'RetainExceptOnCreate',
    UpdateReplacePolicy: 'Retain',
    Properties: {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    },
  })
  expect(resource('RenderBucketPolicy').DeletionPolicy).toBe('RetainExceptOnCreate')
  const { PolicyDocument } = properties('RenderBucketPolicy')
  expect(PolicyDocument).toMatchObject({
    Statement: [
      {
        Effect: 'Deny',
        Principal: '*',
        Action: 's3:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  })
})

test('work and segments expire, sites and results never do', () => {
  const { LifecycleConfiguration } = properties('RenderBucket') as {
    readonly LifecycleConfiguration: { readonly Rules: readonly Record<string, unknown>[] }
  }
  const expiring = LifecycleConfiguration.Rules.filter((rule) => 'ExpirationInDays' in rule)
  expect(expiring.map(({ Prefix }) => Prefix)).toEqual([prefixes.renders, prefixes.segments])
  expect(LifecycleConfiguration.Rules.at(-1)).toMatchObject({
    Prefix: '',
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  })
})

interface Attached {
  readonly PolicyName: string
  readonly PolicyDocument: PolicyDocument
}

const rolePolicies = (name: string) => properties(name) as { readonly Policies: readonly [Attached, unknown] }

const statementsOf = (name: string): readonly PolicyStatement[] =>
  rolePolicies(name).Policies[0].PolicyDocument.Statement

test.each(['RenderFunctionRole', 'RenderWorkflowRole'])('%s may do named actions with named resources', (name) => {
  const statements = statementsOf(name)
  expect(statements.length).toBeGreaterThan(1)
  for (const { Action, Resource } of statements) {
    expect([Action].flat().join()).not.toContain('*')
    expect([Resource].flat()).not.toContain('*')
  }
})

test('the function never changes sites, and has nothing to do with packages', () => {
  const denied = (action: string) =>
    JSON.stringify(
      statementsOf('RenderFunctionRole').filter(
        ({ Effect, Action }) => Effect === 'Deny' && [Action].flat().includes(action),
      ),
    )
  for (const action of ['s3:PutObject', 's3:DeleteObject']) {
    expect(denied(action)).toContain('/sites/*')
    expect(denied(action)).toContain('/functions/*')
  }
  expect(denied('s3:GetObject')).toContain('/functions/*')
})

test('the state machine is a Standard one with the definition of the workflow', () => {
  expect(properties('RenderStateMachine')).toMatchObject({
    StateMachineType: 'STANDARD',
    DefinitionString: JSON.stringify(workflowDefinition()),
    DefinitionSubstitutions: { FunctionArn: { Ref: 'RenderVersion' } },
  })
})

test('a boundary is that of both roles, and tracing is a parameter', () => {
  const permissionsBoundary = 'arn:aws:iam::123456789012:policy/vid-boundary'
  const { Resources } = stackTemplate('package', { permissionsBoundary })
  for (const name of ['RenderFunctionRole', 'RenderWorkflowRole']) {
    expect(Resources[name]?.Properties).toEqual({
      ...resource(name).Properties,
      PermissionsBoundary: permissionsBoundary,
    })
    const tracing = { 'Fn::If': ['IsTraced', { PolicyName: 'tracing' }, { Ref: 'AWS::NoValue' }] }
    expect(rolePolicies(name).Policies[1]).toMatchObject(tracing)
  }
  expect(full.Parameters).toMatchObject({ Tracing: { Default: 'off' } })
})
