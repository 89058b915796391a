/** Where a crowd comes from: uploaded files, or a rule. */
export type CrowdKind = 'custom' | 'rule'
