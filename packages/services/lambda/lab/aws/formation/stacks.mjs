// Stacks: made, changed and removed resource by resource, with events, and rolled back when a resource fails.
import { randomUUID } from 'node:crypto'
import { account, region, serviceError } from '../service.mjs'
import { resourceTypes } from './resources.mjs'
import { createStackResources } from './stack-resources.mjs'
import { evaluator, inOrder, parameterValues, parseTemplate } from './template.mjs'

const MAX_BODY_BYTES = 51_200
const MAX_TEMPLATE_BYTES = 1_048_576
const problem = (message) => serviceError('ValidationError', message)
const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b)
const BUSY = /_IN_PROGRESS$/

/**
 * @param {object} services buckets, functions, machines, logs
 * @param {(url: string) => Promise<string>} readUrl text of a template in a bucket
 */
export const createStacks = (services, readUrl) => {
  const types = resourceTypes(services)
  const { enter, makeResource, changeResource, removeResource } = createStackResources(types)
  /** Stacks by their id, deleted ones too. */
  const stacks = new Map()

  const find = (name) => {
    const all = [...stacks.values()]
    const stack = stacks.get(name) ?? all.find((stack) => stack.name === name && stack.status !== 'DELETE_COMPLETE')
    if (!stack) throw problem(`Stack with id ${name} does not exist`)
    return stack
  }
  const templateText = async ({ TemplateBody, TemplateURL, UsePreviousTemplate }, stack) => {
    if (UsePreviousTemplate === 'true') return stack.text
    if (TemplateBody !== undefined && Buffer.byteLength(TemplateBody) > MAX_BODY_BYTES)
      throw problem(
        `1 validation error detected: Value at 'templateBody' failed to satisfy constraint: Member must have length less than or equal to ${MAX_BODY_BYTES}`,
      )
    const text = TemplateBody ?? (TemplateURL === undefined ? undefined : await readUrl(TemplateURL))
    if (text === undefined) throw problem('Either Template URL or Template Body must be specified.')
    if (Buffer.byteLength(text) > MAX_TEMPLATE_BYTES) throw problem('Template may not exceed 1000000 bytes in size.')
    return text
  }
  const checkTemplate = (template, capabilities) => {
    const strange = Object.values(template.Resources)
      .map(({ Type }) => Type)
      .filter((type) => !types[type])
    if (strange.length > 0) throw problem(`Template format error: Unrecognized resource types: [${strange.join(', ')}]`)
    const roles = Object.values(template.Resources).filter(({ Type }) => Type.startsWith('AWS::IAM::'))
    const isNamed = roles.some(({ Properties }) => Properties.RoleName)
    const needed = isNamed ? ['CAPABILITY_NAMED_IAM'] : ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM']
    if (roles.length > 0 && !needed.some((name) => capabilities.includes(name)))
      throw serviceError('InsufficientCapabilitiesException', `Requires capabilities : [${needed[0]}]`)
    inOrder(template.Resources)
  }

  const resolverOf = (stack, template, parameters) =>
    evaluator(template, stack, parameters, (name) => {
      const resource = stack.resources.get(name)
      if (!resource)
        throw problem(
          `Template format error: Unresolved resource dependencies [${name}] in the Resources block of the template`,
        )
      return resource
    })
  const outputsOf = ({ evaluate, condition }, { Outputs = {} }) =>
    Object.entries(Outputs)
      .filter(([, { Condition }]) => Condition === undefined || condition(Condition))
      .map(([OutputKey, { Value, Description }]) => ({
        OutputKey,
        OutputValue: String(evaluate(Value)),
        Description,
      }))

  /** Makes and changes what a template has; what it has no more is removed afterwards. */
  const apply = async (stack, template, parameters, change) => {
    const resolver = resolverOf(stack, template, parameters)
    for (const name of inOrder(template.Resources)) {
      const definition = template.Resources[name]
      if (definition.Condition !== undefined && !resolver.condition(definition.Condition)) continue
      if (stack.resources.has(name)) await changeResource(stack, name, definition, resolver, stack.resources, change)
      else {
        await makeResource(stack, name, definition, resolver, stack.resources)
        change.undo.push(() => removeResource(stack, name, true))
      }
    }
    stack.outputs = outputsOf(resolver, template)
  }
  const settle = (stack) => {
    for (const resource of stack.resources.values()) resource.isNew = false
  }
  const undoAll = async (undo) => {
    for (const step of undo.reverse()) await step()
  }
  const runCreation = async (stack, template) => {
    const undo = []
    try {
      await apply(stack, template, stack.parameters, { undo, replaced: [] })
      settle(stack)
      enter(stack, 'CREATE_COMPLETE')
    } catch (error) {
      enter(stack, 'ROLLBACK_IN_PROGRESS', `The following resource(s) failed to create. ${error.message}`)
      await undoAll(undo)
      enter(stack, 'ROLLBACK_COMPLETE')
    }
  }
  const runUpdate = async (stack, template, next) => {
    const undo = []
    const replaced = []
    const outputs = stack.outputs
    try {
      await apply(stack, template, next.parameters, { undo, replaced })
      const gone = [...stack.resources.keys()].filter((name) => !template.Resources[name])
      enter(stack, 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS')
      for (const remove of replaced) await remove()
      for (const name of gone) await removeResource(stack, name, false)
      settle(stack)
      Object.assign(stack, next)
      enter(stack, 'UPDATE_COMPLETE')
    } catch (error) {
      enter(stack, 'UPDATE_ROLLBACK_IN_PROGRESS', `The following resource(s) failed to update. ${error.message}`)
      await undoAll(undo)
      stack.outputs = outputs
      enter(stack, 'UPDATE_ROLLBACK_COMPLETE')
    }
  }
  const runDeletion = async (stack) => {
    const names = stack.text ? inOrder(parseTemplate(stack.text).Resources).reverse() : []
    const resourceNames = [
      ...names.filter((name) => stack.resources.has(name)),
      ...[...stack.resources.keys()].filter((name) => !names.includes(name)),
    ]
    try {
      for (const name of resourceNames) await removeResource(stack, name, false)
      enter(stack, 'DELETE_COMPLETE')
    } catch (error) {
      enter(stack, 'DELETE_FAILED', `The following resource(s) failed to delete. ${error.message}`)
    }
  }

  const create = async ({ StackName, Parameters = [], Capabilities = [], Tags = [], ...input }) => {
    if (!/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(StackName ?? ''))
      throw problem(`1 validation error detected: Value '${StackName}' at 'stackName' failed to satisfy constraint`)
    const old = [...stacks.values()].find(({ name, status }) => name === StackName && status !== 'DELETE_COMPLETE')
    if (old) throw serviceError('AlreadyExistsException', `Stack [${StackName}] already exists`)
    const text = await templateText(input)
    const template = parseTemplate(text)
    checkTemplate(template, Capabilities)
    const id = `arn:aws:cloudformation:${region}:${account}:stack/${StackName}/${randomUUID()}`
    const parameters = parameterValues(template, Parameters, {})
    const stack = {
      name: StackName,
      id,
      text,
      parameters,
      tags: Tags,
      capabilities: Capabilities,
      resources: new Map(),
      events: [],
      outputs: [],
      created: new Date().toISOString(),
    }
    stacks.set(id, stack)
    enter(stack, 'CREATE_IN_PROGRESS', 'User Initiated')
    stack.work = runCreation(stack, template)
    return stack
  }
  const update = async ({ StackName, Parameters = [], Capabilities = [], Tags, ...input }) => {
    const stack = find(StackName)
    if (BUSY.test(stack.status) || !/COMPLETE$/.test(stack.status) || stack.status === 'ROLLBACK_COMPLETE')
      throw problem(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`)
    const text = await templateText(input, stack)
    const template = parseTemplate(text)
    checkTemplate(template, Capabilities)
    const parameters = parameterValues(template, Parameters, stack.parameters)
    const next = {
      text,
      parameters,
      tags: Tags ?? stack.tags,
      capabilities: Capabilities,
      updated: new Date().toISOString(),
    }
    const unchanged =
      equal(parseTemplate(stack.text), template) && equal(stack.parameters, parameters) && equal(stack.tags, next.tags)
    if (unchanged) throw problem('No updates are to be performed.')
    enter(stack, 'UPDATE_IN_PROGRESS', 'User Initiated')
    stack.work = runUpdate(stack, template, next)
    return stack
  }
  const remove = (name) => {
    let stack
    try {
      stack = find(name)
    } catch {
      return // One that is not there is deleted already.
    }
    if (BUSY.test(stack.status)) return
    enter(stack, 'DELETE_IN_PROGRESS', 'User Initiated')
    stack.work = runDeletion(stack)
  }
  return {
    create,
    update,
    remove,
    find,
    list: () => [...stacks.values()],
    check: async (input) => {
      const template = parseTemplate(await templateText(input))
      inOrder(template.Resources)
      return template
    },
    idle: () => Promise.all([...stacks.values()].map(({ work }) => work)),
  }
}
