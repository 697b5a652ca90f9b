import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FORMATS_KEY, OUTPUTS, renderKeys, siteKeys } from '../contract/object-keys.ts'
import { stackPolicies } from './policies.ts'
import { stackTemplate } from './template.ts'
import type { PolicyDocument, PolicyStatement, TemplateResource } from './values.ts'

const facts = {
  stackName: 'Films',
  region: 'eu-central-1',
  account: '123456789012',
  bucketName: 'films-bucket',
}
const policies = stackPolicies(facts)

const allowed = ({ Statement }: PolicyDocument): readonly string[] =>
  Statement.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action)

test('no policy allows everything of a service, or anything on every resource', () => {
  for (const { Statement } of Object.values(policies) as readonly PolicyDocument[])
    for (const { Sid, Action, Resource } of Statement) {
      expect([Action].flat().join()).not.toContain('*')
      // X-Ray limits none of its actions to a resource.
      if (Sid !== 'Trace') expect([Resource].flat()).not.toContain('*')
    }
})

test('what is known of the stack stands in every resource, and what is not known stays open', () => {
  const text = JSON.stringify(policies)
  expect(text).toContain('arn:aws:states:eu-central-1:123456789012:stateMachine:Films')
  expect(text).toContain('arn:aws:s3:::films-bucket/sites/*')
  expect(JSON.stringify(stackPolicies({ stackName: 'Films' }))).toContain('arn:aws:s3:::films-renderbucket-*')
})

test('who renders can neither change the stack nor its function, nor remove anything', () => {
  for (const action of allowed(policies.render)) expect(action).not.toMatch(/Delete|iam:|Update|lambda:|Create/)
})

test('who renders may write what a start and a stop write, and no other object', () => {
  const { render } = policies
  const resources = render.Statement.filter(({ Action }) => [Action].flat().includes('s3:PutObject'))
    .flatMap(({ Resource }) => [Resource].flat())
    .map((resource) => new RegExp(`^${String(resource).replaceAll('.', '\\.').replaceAll('*', '.*')}$`))
  const isWritable = (key: string) => resources.some((resource) => resource.test(`arn:aws:s3:::films-bucket/${key}`))
  const { variables, stream, request, result, plan } = renderKeys('film')
  const { zip, description } = siteKeys('a'.repeat(64))
  const playlists = ['index.m3u8', '1080p.m3u8', '1080p-keys.m3u8'].map((name) => `${OUTPUTS}film/${name}`)
  for (const key of [zip, description, variables, stream, ...playlists]) expect(isWritable(key), key).toBe(true)
  for (const key of [request, result, plan, `${OUTPUTS}film/1080p-0.m4s`, FORMATS_KEY])
    expect(isWritable(key), key).toBe(false)
})

test('the function has the same permissions in the policy as in the stack, with the names filled in', () => {
  const { Policies } = (stackTemplate().Resources.RenderFunctionRole as TemplateResource).Properties as {
    readonly Policies: readonly [{ readonly PolicyDocument: PolicyDocument }]
  }
  const shape = ({ Sid, Effect, Action }: PolicyStatement) => ({ Sid, Effect, Action })
  expect(policies.function.Statement.map(shape)).toEqual(Policies[0].PolicyDocument.Statement.map(shape))
})

test('an image needs permissions of its repository, and nothing else does', () => {
  expect(JSON.stringify(policies)).not.toContain('ecr:')
  const { deploy } = stackPolicies({ ...facts, imageRepository: 'vid' })
  expect(deploy.Statement.at(-1)).toMatchObject({
    Resource: 'arn:aws:ecr:eu-central-1:123456789012:repository/vid',
  })
})

test('every request of this package is allowed to somebody', () => {
  const root = new URL('..', import.meta.url)
  const rooms = ['renders', 'stack']
  const calls = rooms.flatMap((room) =>
    readdirSync(new URL(`${room}/`, root))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [
        ...readFileSync(new URL(`${room}/${name}`, root), 'utf8').matchAll(/action: '([a-z]+:\w+)'/g),
      ]),
  )
  expect(calls.length).toBeGreaterThan(8)
  const all = [...allowed(policies.deploy), ...allowed(policies.render)]
  for (const [, action] of calls) expect(all).toContain(action)
})

const boundaryArn = 'arn:aws:iam::123456789012:policy/vid-boundary'

test('with a boundary, no role may be made or get permissions without it, and the boundary cannot be removed', () => {
  const { deploy } = stackPolicies({ ...facts, permissionsBoundary: boundaryArn })
  const granting = /^iam:(Create|Put|Attach|Add|Delete(Role)?Permissions)/
  for (const { Action, Condition } of deploy.Statement)
    for (const action of [Action].flat().filter((each) => granting.test(each)))
      expect({ action, Condition }).toEqual({
        action,
        Condition: { StringEquals: { 'iam:PermissionsBoundary': boundaryArn } },
      })
  expect(allowed(deploy)).toContain('iam:PutRolePermissionsBoundary')
  expect(allowed(deploy)).not.toContain('iam:DeleteRolePermissionsBoundary')
  expect([...allowed(policies.deploy), 'iam:PutRolePermissionsBoundary'].sort()).toEqual([...allowed(deploy)].sort())
})

/** Whether a statement of a policy allows an action on a resource, as IAM reads its wildcards. */
const matches = (patterns: unknown, text: string) =>
  [patterns].flat().some((pattern) => {
    const parts = String(pattern).split('*')
    const [first = '', ...others] = parts.map((part) => part.replaceAll(/[^\w]/g, '\\$&'))
    return new RegExp(`^${[first, ...others].join('.*')}$`).test(text)
  })

test('the boundary allows all that the roles of the stack are allowed, in the names of its resources', () => {
  const { boundary } = policies
  const names: Readonly<Record<string, string>> = {
    'RenderBucket.Arn': 'arn:aws:s3:::films-bucket',
    'RenderFunction.Arn': 'arn:aws:lambda:eu-central-1:123456789012:function:Films-RenderFunction-1',
    'RenderLogs.Arn': 'arn:aws:logs:eu-central-1:123456789012:log-group:Films-RenderLogs-1:*',
    'AWS::Partition': 'aws',
    'AWS::Region': 'eu-central-1',
    'AWS::AccountId': '123456789012',
    'AWS::StackName': 'Films',
  }
  const resolve = (value: unknown): string => {
    const { 'Fn::GetAtt': attribute, 'Fn::Sub': text } = Object(value)
    if (attribute) return names[attribute.join('.')] ?? ''
    return String(text ?? value).replaceAll(/\$\{([\w:.]+)\}/g, (_, name) => names[name] ?? '')
  }
  const statements = ['RenderFunctionRole', 'RenderWorkflowRole'].flatMap((name) => {
    const { Policies } = (stackTemplate().Resources[name] as TemplateResource).Properties as {
      readonly Policies: readonly [
        { readonly PolicyDocument: PolicyDocument },
        { readonly 'Fn::If': readonly [string, { readonly PolicyDocument: PolicyDocument }, unknown] },
      ]
    }
    return [...Policies[0].PolicyDocument.Statement, ...Policies[1]['Fn::If'][1].PolicyDocument.Statement]
  })
  const needed = statements
    .filter(({ Effect }) => Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      [Action]
        .flat()
        .flatMap((action) => [Resource].flat().map((resource) => ({ action, resource: resolve(resource) }))),
    )
  expect(needed.length).toBeGreaterThan(12)
  for (const { action, resource } of needed)
    expect(
      boundary.Statement.some(
        ({ Effect, Action, Resource }) => Effect === 'Allow' && matches(Action, action) && matches(Resource, resource),
      ),
      `${action} ${resource}`,
    ).toBe(true)
  const beyond = { action: 'iam:CreateRole', resource: 'arn:aws:iam::123456789012:role/Films-x' }
  expect(boundary.Statement.some(({ Action }) => matches(Action, beyond.action))).toBe(false)
})
