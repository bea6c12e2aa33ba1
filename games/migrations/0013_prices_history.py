"""Prices become rows that stay: who proposed them, who confirmed them, since when they count."""

import json
import os

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import IntegrityError, migrations, models
from django.db.models import F, Func, Q, Value
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Now

KEEP = """
CREATE TEMPORARY TABLE games_prices_before ON COMMIT DROP AS
    SELECT figures FROM games_houseprices WHERE id = 1
"""

#: what a house had whose row said nothing of a figure, when this migration was written
DEFAULTS = {
    "prize_stakes_cents": [250, 500],
    "single_rates_cents": [100, 200],
    "single_limits_cents": [1000, 2000],
    "base_stake_cents_min": 10,
    "base_stake_cents_max": 10_000,
    "factor_without_cube": 3,
    "factor_with_cube": 10,
    "rake_bps": 1000,
}

FORWARD = """
CREATE FUNCTION games_prices_follow() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM games_houseprices) THEN
        RAISE EXCEPTION 'prices_number: prices % do not follow the newest ones', NEW.number
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF (SELECT min(cents) FROM unnest(NEW.single_limits_cents) AS cents)
       < (SELECT max(cents) FROM unnest(NEW.single_rates_cents) AS cents) THEN
        RAISE EXCEPTION 'prices_limit: a limit is below a rate' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.proposal_id IS NULL AND NOT pg_has_role(
        current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE') THEN
        RAISE EXCEPTION 'prices_by_two_people: prices are confirmed by a second person'
            USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.made_at := statement_timestamp();  -- the database's clock, not the caller's
    RETURN NEW;
END
$$;
CREATE TRIGGER games_prices_follow BEFORE INSERT ON games_houseprices
    FOR EACH ROW EXECUTE FUNCTION games_prices_follow();

CREATE FUNCTION games_prices_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM ledger_proposal p
        WHERE p.id = NEW.proposal_id AND p.kind = 'prices.change' AND p.state = 'done'
          AND p.proposed_by_id = NEW.proposed_by_id AND p.decided_by_id = NEW.confirmed_by_id
          AND p.content -> 'figures' = (
              SELECT jsonb_object_agg(key, value) FROM jsonb_each(to_jsonb(NEW))
              WHERE key NOT IN ('number', 'proposal_id', 'proposed_by_id', 'confirmed_by_id',
                                'reason', 'made_at'))
    ) THEN
        RAISE EXCEPTION 'prices_by_two_people: proposal % did not decide prices %',
            NEW.proposal_id, NEW.number USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER games_prices_decided AFTER INSERT ON games_houseprices
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.proposal_id IS NOT NULL) EXECUTE FUNCTION games_prices_decided();

CREATE TRIGGER games_houseprices_rows_stay BEFORE UPDATE OR DELETE ON games_houseprices
    FOR EACH ROW EXECUTE FUNCTION games_refuse_mutation();
CREATE TRIGGER games_houseprices_stays BEFORE TRUNCATE ON games_houseprices
    FOR EACH STATEMENT EXECUTE FUNCTION games_refuse_mutation();
"""

BACKWARD = """
DROP TRIGGER games_houseprices_stays ON games_houseprices;
DROP TRIGGER games_houseprices_rows_stay ON games_houseprices;
DROP TRIGGER games_prices_decided ON games_houseprices;
DROP TRIGGER games_prices_follow ON games_houseprices;
DROP FUNCTION games_prices_decided();
DROP FUNCTION games_prices_follow();
"""


def _amounts(name):
    template = (
        "cardinality(%(expressions)s) BETWEEN 1 AND 6 AND 1 <= ALL(%(expressions)s) "
        "AND 10000000 >= ALL(%(expressions)s)"
    )
    within = Func(F(name), output_field=models.BooleanField(), template=template)
    return models.CheckConstraint(condition=within, name=f"prices_{name}")


def _bounds(name, least, most):
    within = Q((f"{name}__gte", least), (f"{name}__lte", most))
    return models.CheckConstraint(condition=within, name=f"prices_{name}")


def _most_over(factor):
    return CombinedExpression(Value(10_000_000), "/", F(factor))


def _array():
    return django.contrib.postgres.fields.ArrayField(
        base_field=models.PositiveIntegerField(), size=None
    )


def _person():
    return models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name="+",
        to=settings.AUTH_USER_MODEL,
    )


def first_row(apps, schema_editor):
    """Keep the figures that the house had as the first row of the history.

    They stood in the row and, where that said nothing of the rake, in the variable RAKE_BPS.
    """
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT figures FROM pg_temp.games_prices_before")
        row = cursor.fetchone()
    rake = os.environ.get("RAKE_BPS", "").strip()
    if row is None and not rake:
        return
    stored = {"rake_bps": int(rake)} if rake else {}
    if row is not None:
        stored |= row[0] if isinstance(row[0], dict) else json.loads(row[0])
    figures = {name: stored.get(name, value) for name, value in DEFAULTS.items()}
    try:
        apps.get_model("games", "HousePrices").objects.create(
            number=1, reason="Stored before prices had a history.", **figures
        )
    except IntegrityError as error:
        raise RuntimeError(
            f"The stored prices of this house cannot go on: {error} Go back to the version before, "
            "set figures within the bounds of docs/operations.md (the rake by RAKE_BPS, where it was "
            "set there), and migrate again."
        ) from error


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0012_table_version"),
        ("ledger", "0006_proposals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(KEEP, migrations.RunSQL.noop),
        migrations.DeleteModel("HousePrices"),
        migrations.CreateModel(
            name="HousePrices",
            fields=[
                ("number", models.PositiveIntegerField(primary_key=True, serialize=False)),
                ("prize_stakes_cents", _array()),
                ("single_rates_cents", _array()),
                ("single_limits_cents", _array()),
                ("base_stake_cents_min", models.PositiveIntegerField()),
                ("base_stake_cents_max", models.PositiveIntegerField()),
                ("factor_without_cube", models.PositiveIntegerField()),
                ("factor_with_cube", models.PositiveIntegerField()),
                ("rake_bps", models.PositiveIntegerField()),
                ("pair_limit", models.PositiveIntegerField(null=True)),
                (
                    "proposal",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="ledger.proposal",
                    ),
                ),
                ("proposed_by", _person()),
                ("confirmed_by", _person()),
                ("reason", models.CharField(max_length=500)),
                ("made_at", models.DateTimeField(db_default=Now())),
            ],
            options={
                "verbose_name_plural": "house prices",
                "permissions": [("decide_prices", "May propose and confirm prices of the house")],
                "default_permissions": ("view",),
                "constraints": [
                    _amounts("prize_stakes_cents"),
                    _amounts("single_rates_cents"),
                    _amounts("single_limits_cents"),
                    _bounds("base_stake_cents_min", 1, 10_000_000),
                    _bounds("base_stake_cents_max", 1, 10_000_000),
                    _bounds("factor_without_cube", 1, 1000),
                    _bounds("factor_with_cube", 1, 1000),
                    _bounds("rake_bps", 0, 4900),
                    _bounds("pair_limit", 1, 1000),
                    models.CheckConstraint(
                        condition=Q(base_stake_cents_min__lte=F("base_stake_cents_max")),
                        name="prices_least_base_below_most",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("base_stake_cents_max__lte", _most_over("factor_without_cube")),
                            ("base_stake_cents_max__lte", _most_over("factor_with_cube")),
                        ),
                        name="prices_base_times_factor",
                    ),
                    models.CheckConstraint(
                        condition=Q(proposal=None, proposed_by=None, confirmed_by=None)
                        | Q(
                            proposal__isnull=False,
                            proposed_by__isnull=False,
                            confirmed_by__isnull=False,
                        ),
                        name="prices_by_two_people",
                    ),
                    models.CheckConstraint(
                        condition=~Q(proposed_by=F("confirmed_by")),
                        name="prices_by_different_people",
                    ),
                    models.CheckConstraint(condition=~Q(reason=""), name="prices_say_why"),
                ],
            },
        ),
        migrations.RunSQL(FORWARD, BACKWARD),
        migrations.RunPython(first_row, migrations.RunPython.noop),
    ]
