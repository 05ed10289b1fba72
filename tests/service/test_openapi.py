"""The OpenAPI document: it is valid, it is true, and its examples work."""

import jsonschema
import pytest

import goodarm as ga
from goodarm.service.app import create_app, list_routes
from goodarm.service.problems import KINDS
from service.in_process import API, client_of

PATH = "/api/v1/openapi.json"
DIALECT = jsonschema.Draft202012Validator


@pytest.fixture
def document(client):
    return client.get(PATH).json()


def operations(document):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def test_responses_are_in_order(document):
    """So that the document is the same from every process."""
    for path, method, operation in operations(document):
        codes = list(operation["responses"])
        assert codes == sorted(codes), (path, method)


def validator(document, schema):
    return DIALECT({**schema, "components": document["components"]})


def references(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def test_every_route_is_in_it(document):
    found = {operation["operationId"] for *_, operation in operations(document)}
    assert found == {each.name for each in list_routes()}


def test_schemas_are_valid_and_references_lead_somewhere(document):
    assert document["openapi"].startswith("3.1")
    for name, schema in document["components"]["schemas"].items():
        DIALECT.check_schema(schema)
        assert "description" in schema, name
    for reference in references(document):
        node = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
    used = {reference.rpartition("/")[2] for reference in references(document)}
    assert used == set(document["components"]["schemas"])


def test_every_operation_is_described(document):
    for _, _, operation in operations(document):
        assert operation["summary"]
        assert operation["description"]
        assert operation["tags"]
        for answer in operation["responses"].values():
            assert answer["description"]


def test_examples_of_bodies_are_what_their_schemas_say(document):
    tried = 0
    for _, method, operation in operations(document):
        if "requestBody" not in operation:
            assert method in ("get", "delete")
            continue
        content = operation["requestBody"]["content"]
        for media in content.values():
            examples = [each["value"] for each in media.get("examples", {}).values()]
            examples += [media["example"]] if "example" in media else []
            assert examples
            for example in examples:
                validator(document, media["schema"]).validate(example)
                tried += 1
    assert tried > 15


def test_examples_of_answers_are_what_their_schemas_say(document):
    for schema in document["components"]["schemas"].values():
        for example in schema.get("examples", ()):
            validator(document, schema).validate(example)


@pytest.mark.parametrize(
    "route", [each for each in list_routes() if each.body], ids=lambda r: r.name
)
def test_examples_work_and_answers_are_what_they_are_said_to_be(client, store, route):
    examples = route.body.model_json_schema()["examples"]
    document = client.get(PATH).json()
    for number, example in enumerate(examples):
        name = f"banners{number}"
        problem = ga.Problem(["red", "green"], 0.5, 0.05, arms_planned=5)
        store.experiment(name, problem, seed=1).ask_many(2)
        path = route.path.replace("{name:experiment}", name).replace("{number:number}", "1")
        answer = client.request(route.method, path, json=example)
        template = route.path.replace(":experiment}", "}").replace(":number}", "}")
        operation = document["paths"][template][route.method.lower()]
        schema = operation["responses"][str(answer.status_code)]["content"]["application/json"]
        validator(document, schema["schema"]).validate(answer.json())
        assert answer.is_success


@pytest.mark.parametrize(
    "path", ["", "/b", "/b/pulls", "/b/arms", "/b/verdict", "/b/journal", "/b/history"]
)
def test_what_is_read_is_what_it_is_said_to_be(client, store, document, path):
    exp = store.experiment("b", ga.Problem(["red", 7, "blue"], 0.5, 0.05))
    exp.ask_many(3, worker="ann", lease=9)
    exp.tell(exp.pull(1), 1)
    exp.observe("red", [1] * 50)
    exp.take_out(7)
    answer = client.get(API + path)
    operation = document["paths"][API + path.replace("/b", "/{name}", 1)]["get"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    validator(document, schema).validate(answer.json())


def test_it_speaks_of_tokens_where_there_are_some(client, store, document):
    assert "securitySchemes" not in document["components"]
    assert not any("security" in operation for *_, operation in operations(document))
    store.tokens.create("first", "read")
    closed = client.get(PATH).json()
    assert closed["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    for path, _, operation in operations(closed):
        is_open = path in ("/healthz", "/readyz", PATH)
        assert ("security" in operation) != is_open
        assert ("401" in operation["responses"]) != is_open


def test_changes_take_a_key_and_nothing_of_ours_is_left_in_it(document):
    for _, method, operation in operations(document):
        parameters = {each["name"] for each in operation.get("parameters", ())}
        is_change = operation["x-scope"] in ("run", "admin") and "ofrep" not in operation["tags"]
        assert ("Idempotency-Key" in parameters) == is_change
        assert not {key for key in operation if key.startswith("x-")} - {"x-scope"}
        assert is_change <= (method != "get")


def test_every_kind_of_problem_has_a_status_in_it(document):
    said = {code for *_, operation in operations(document) for code in operation["responses"]}
    elsewhere = {"401", "405"}
    assert {str(kind.status) for kind in KINDS} - elsewhere <= said


def test_apps_share_their_routes_and_nothing_else():
    with ga.open_store("memory:") as one, ga.open_store("memory:") as other:
        apps = create_app(one), create_app(other)
        shared = {id(route) for route in apps[0].routes} & {id(route) for route in apps[1].routes}
        assert len(shared) == len(list_routes())
        one.experiment("banners", ga.Problem(2, threshold=0.5, delta=0.05))
        for app, names in zip(apps, (["banners"], []), strict=True):
            with client_of(app) as client:
                listed = client.get(API).json()["experiments"]
            assert [each["name"] for each in listed] == names
