import { type AppRoute, BATCH_ACCESS } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/variable-lists',
    name: 'ListVariableLists',
    layout: 'authenticated',
    title: 'Variable Lists',
    access: BATCH_ACCESS,
    load: () => import('./ListVariableListsPage.tsx'),
  },
  {
    path: '/variable-lists/:id',
    name: 'ShowVariableList',
    layout: 'authenticated',
    title: 'Variable List',
    access: BATCH_ACCESS,
    load: () => import('./ShowVariableListPage.tsx'),
  },
  {
    path: '/variable-lists/:id/edit',
    name: 'VariableListEditor',
    layout: 'authenticated',
    title: 'Edit Variable List',
    access: BATCH_ACCESS,
    load: () => import('./VariableListEditorPage.tsx'),
  },
];
