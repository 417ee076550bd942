import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import type { VariableListDocument } from '@quantloom/domain/variable-list/projection';

/** A list as its readers see it. */
export function variableListOf(document: VariableListDocument): VariableList {
  return {
    id: document.id,
    name: document.name,
    is_public: document.isPublic,
    user_id: document.ownerId,
    variables: [...document.variables],
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    revision: document._revision,
  };
}
