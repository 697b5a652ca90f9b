import { workflowDefinition } from '../workflow/definition.ts'
import { role } from './function-resources.ts'
import { workflowStatements } from './statements.ts'
import type { TemplateResource } from './values.ts'

/** All versions: a running execution has the current permissions, but the version of its start. */
const FUNCTION = [{ 'Fn::GetAtt': ['RenderFunction', 'Arn'] }, { 'Fn::Sub': `\${RenderFunction.Arn}:*` }] as const

const STATES = `arn:\${AWS::Partition}:states:\${AWS::Region}:\${AWS::AccountId}`

/** The state machine and its role. It has the name of the stack, so that its role can refer to it. */
export const workflowResources: Readonly<Record<string, TemplateResource>> = {
  RenderWorkflowRole: role(
    'states.amazonaws.com',
    ...workflowStatements({
      functions: FUNCTION,
      stateMachine: { 'Fn::Sub': `${STATES}:stateMachine:\${AWS::StackName}` },
      executions: [
        { 'Fn::Sub': `${STATES}:execution:\${AWS::StackName}:*` },
        { 'Fn::Sub': `${STATES}:execution:\${AWS::StackName}/*:*` },
      ],
    }),
  ),
  RenderStateMachine: {
    Type: 'AWS::StepFunctions::StateMachine',
    Properties: {
      StateMachineName: { Ref: 'AWS::StackName' },
      StateMachineType: 'STANDARD',
      RoleArn: { 'Fn::GetAtt': ['RenderWorkflowRole', 'Arn'] },
      TracingConfiguration: { Enabled: { 'Fn::If': ['IsTraced', true, false] } },
      // As text: CloudFormation accepts no null in a template, and the definition contains one.
      DefinitionString: JSON.stringify(workflowDefinition()),
      DefinitionSubstitutions: { FunctionArn: { Ref: 'RenderVersion' } },
    },
  },
}
