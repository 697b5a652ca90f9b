// The Query protocol of CloudFormation: forms in, XML out.
import { randomUUID } from 'node:crypto'
import { serviceError } from '../service.mjs'

const PAGE = 100
const escaped = (text) => String(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** XML of a value: an array is a list of `member`, and what is undefined is left out. */
const xml = (value) => {
  if (Array.isArray(value)) return value.map((item) => `<member>${xml(item)}</member>`).join('')
  if (typeof value !== 'object' || value === null) return escaped(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return members.map(([name, member]) => `<${name}>${xml(member)}</${name}>`).join('')
}

/** The members of a form, `A.member.1.B=x` as `{ A: [{ B: 'x' }] }`. */
export const readForm = (text) => {
  const root = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split('.')
    let place = root
    for (const [index, name] of names.entries()) {
      const isLast = index === names.length - 1
      if (name === 'member') continue
      const isList = names[index + 1] === 'member'
      const key = Array.isArray(place) ? Number(name) - 1 : name
      if (isLast) place[key] = value
      else {
        place[key] ??= isList ? [] : {}
        place = place[key]
      }
    }
  }
  return root
}

const stackView = (stack) => ({
  StackId: stack.id,
  StackName: stack.name,
  Description: JSON.parse(stack.text).Description,
  Parameters: Object.entries(stack.parameters).map(([ParameterKey, ParameterValue]) => ({
    ParameterKey,
    ParameterValue,
  })),
  CreationTime: stack.created,
  LastUpdatedTime: stack.updated,
  StackStatus: stack.status,
  StackStatusReason: stack.reason,
  DisableRollback: false,
  Capabilities: stack.capabilities,
  Outputs: stack.outputs,
  Tags: stack.tags,
})
const resourceView =
  (stack) =>
  ([name, { id, type, status }]) => ({
    StackName: stack.name,
    StackId: stack.id,
    LogicalResourceId: name,
    PhysicalResourceId: id,
    ResourceType: type,
    Timestamp: stack.updated ?? stack.created,
    LastUpdatedTimestamp: stack.updated ?? stack.created,
    ResourceStatus: status,
  })

const paged = (all, token) => {
  const first = Number(token ?? 0)
  const next = first + PAGE < all.length ? String(first + PAGE) : undefined
  return [all.slice(first, first + PAGE), next]
}

const operations = (stacks) => ({
  CreateStack: async (input) => ({ StackId: (await stacks.create(input)).id }),
  UpdateStack: async (input) => ({ StackId: (await stacks.update(input)).id }),
  DeleteStack: ({ StackName }) => {
    stacks.remove(StackName)
    return {}
  },
  DescribeStacks: ({ StackName, NextToken }) => {
    if (StackName) return { Stacks: [stackView(stacks.find(StackName))] }
    const living = stacks.list().filter(({ status }) => status !== 'DELETE_COMPLETE')
    const [summaries, next] = paged(living.map(stackView), NextToken)
    return { Stacks: summaries, NextToken: next }
  },
  DescribeStackEvents: ({ StackName, NextToken }) => {
    const [StackEvents, next] = paged(stacks.find(StackName).events.toReversed(), NextToken)
    return { StackEvents, NextToken: next }
  },
  DescribeStackResources: ({ StackName }) => {
    const stack = stacks.find(StackName)
    return { StackResources: [...stack.resources].map(resourceView(stack)) }
  },
  ListStackResources: ({ StackName }) => {
    const stack = stacks.find(StackName)
    return { StackResourceSummaries: [...stack.resources].map(resourceView(stack)) }
  },
  GetTemplate: ({ StackName }) => ({
    TemplateBody: stacks.find(StackName).text,
    StagesAvailable: ['Original'],
  }),
  ValidateTemplate: async (input) => {
    const { Parameters = {}, Description } = await stacks.check(input)
    return {
      Parameters: Object.entries(Parameters).map(([ParameterKey, { Default }]) => ({
        ParameterKey,
        DefaultValue: Default,
      })),
      Description,
    }
  },
})

const NAMESPACE = 'http://cloudformation.amazonaws.com/doc/2010-05-15/'

/** XML of an error. */
export const errorXml = ({ name, message, status = 500 }) =>
  `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${status < 500 ? 'Sender' : 'Receiver'}</Type><Code>${escaped(name)}</Code><Message>${escaped(message)}</Message></Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`

/**
 * Answers a form with XML.
 * @param {ReturnType<typeof import('./stacks.mjs').createStacks>} stacks
 */
export const formationApi = (stacks) => {
  const handlers = operations(stacks)
  return async (text) => {
    const { Action, Version, ...input } = readForm(text)
    const operation = handlers[Action]
    if (!operation) throw serviceError('InvalidAction', `Could not find operation ${Action} for version ${Version}`)
    const result = await operation(input)
    return `<${Action}Response xmlns="${NAMESPACE}"><${Action}Result>${xml(result)}</${Action}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${Action}Response>`
  }
}
