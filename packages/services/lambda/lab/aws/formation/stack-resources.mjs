// The resources of a stack: made, changed and removed one by one, each with its events.
import { randomUUID } from 'node:crypto'

const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b)

/** @param {ReturnType<typeof import('./resources.mjs').resourceTypes>} types */
export const createStackResources = (types) => {
  const event = (stack, logicalId, type, physicalId, status, reason) => {
    stack.events.push({
      StackId: stack.id,
      EventId: randomUUID(),
      StackName: stack.name,
      LogicalResourceId: logicalId,
      PhysicalResourceId: physicalId,
      ResourceType: type,
      Timestamp: new Date().toISOString(),
      ResourceStatus: status,
      ResourceStatusReason: reason,
    })
  }
  const enter = (stack, status, reason) => {
    Object.assign(stack, { status, reason })
    event(stack, stack.name, 'AWS::CloudFormation::Stack', stack.id, status, reason)
  }
  const note = (stack, name, resource, status, reason) => {
    resource.status = status
    event(stack, name, resource.type, resource.id ?? '', status, reason)
  }

  /** What a resource of a template is now; resources before it exist. */
  const propertiesOf = ({ evaluate }, definition, type) => {
    const properties = evaluate(definition.Properties ?? {})
    const strange = Object.keys(properties).filter((name) => !types[type].known.includes(name))
    if (strange.length > 0) throw new Error(`Encountered unsupported property ${strange.join(', ')}`)
    return properties
  }
  const makeResource = async (stack, name, definition, resolver, resources) => {
    const resource = {
      type: definition.Type,
      retain: definition.DeletionPolicy,
      retainReplaced: definition.UpdateReplacePolicy,
      isNew: true,
    }
    note(stack, name, resource, 'CREATE_IN_PROGRESS')
    try {
      resource.properties = propertiesOf(resolver, definition, definition.Type)
      Object.assign(resource, await types[definition.Type].create(stack, name, resource.properties))
    } catch (error) {
      note(stack, name, resource, 'CREATE_FAILED', error.message)
      throw error
    }
    resources.set(name, resource)
    note(stack, name, resource, 'CREATE_COMPLETE')
  }
  /** Replaces a resource that cannot be changed; the old one goes when all the rest has succeeded. */
  const replaceResource = async (stack, name, definition, resolver, resources, { undo, replaced }) => {
    const old = resources.get(name)
    await makeResource(stack, name, definition, resolver, resources)
    undo.push(async () => {
      await removeResource(stack, name, true)
      resources.set(name, old)
    })
    replaced.push(async () => {
      if (old.retainReplaced === 'Retain') return note(stack, name, { ...old }, 'DELETE_SKIPPED')
      await types[old.type].remove?.(old.id)
      note(stack, name, { ...old }, 'DELETE_COMPLETE')
    })
  }
  const changeResource = async (stack, name, definition, resolver, resources, change) => {
    const old = resources.get(name)
    const properties = propertiesOf(resolver, definition, definition.Type)
    old.retain = definition.DeletionPolicy
    old.retainReplaced = definition.UpdateReplacePolicy
    if (equal(properties, old.properties)) return
    const { update, replaced = [] } = types[definition.Type]
    if (replaced.some((key) => !equal(properties[key], old.properties[key])))
      return replaceResource(stack, name, definition, resolver, resources, change)
    note(stack, name, old, 'UPDATE_IN_PROGRESS')
    try {
      await update?.(old.id, properties, old.properties)
    } catch (error) {
      note(stack, name, old, 'UPDATE_FAILED', error.message)
      throw error
    }
    const before = old.properties
    change.undo.push(async () => {
      await update?.(old.id, before, properties)
      old.properties = before
    })
    old.properties = properties
    note(stack, name, old, 'UPDATE_COMPLETE')
  }
  const isKept = ({ retain, isNew }, isCreation) =>
    retain === 'Retain' || (retain === 'RetainExceptOnCreate' && !(isCreation && isNew))
  const removeResource = async (stack, name, isCreation) => {
    const resource = stack.resources.get(name)
    if (isKept(resource, isCreation)) {
      note(stack, name, resource, 'DELETE_SKIPPED')
      return void stack.resources.delete(name)
    }
    note(stack, name, resource, 'DELETE_IN_PROGRESS')
    try {
      await types[resource.type].remove?.(resource.id)
    } catch (error) {
      note(stack, name, resource, 'DELETE_FAILED', error.message)
      throw error
    }
    stack.resources.delete(name)
    note(stack, name, resource, 'DELETE_COMPLETE')
  }
  return { enter, makeResource, changeResource, removeResource }
}
